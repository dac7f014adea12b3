import { type ReactNode, useId } from 'react'
import './card.css'

interface Props {
  readonly title?: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
  /** Omits the padding, for tables and lists that extend to the edge. */
  readonly flush?: boolean
  readonly children: ReactNode
}

export function Card({ title, about, actions, flush = false, children }: Props): ReactNode {
  const id = useId()
  return (
    <section className="card" aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className="card-head">
          <div className="grow">
            <h2 id={id}>{title}</h2>
            {about !== undefined && <p className="card-about">{about}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={flush ? 'card-flush' : 'card-body'}>{children}</div>
    </section>
  )
}
