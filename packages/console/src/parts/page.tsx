import { type ReactNode, useEffect } from 'react'
import './page.css'

interface Props {
  readonly title: ReactNode
  /** The page's name in the window title. */
  readonly name: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly back?: { readonly to: string; readonly label: string }
  readonly children: ReactNode
}

export function Page({ title, name, about, actions, back, children }: Props): ReactNode {
  useEffect(() => {
    document.title = `${name} · Hintgate`
  }, [name])
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          {back !== undefined && (
            <a className="page-back" href={`#${back.to}`}>
              ← {back.label}
            </a>
          )}
          <h1>{title}</h1>
          {about !== undefined && <p className="page-about">{about}</p>}
        </div>
        {actions !== undefined && <div className="row-wrap">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
