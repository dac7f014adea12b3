import type { ReactNode } from 'react'
import './section.css'

interface Props {
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, about, children }: Props): ReactNode {
  return (
    <section className="section">
      <h3>
        {title}
        {about !== undefined && <span className="section-about"> {about}</span>}
      </h3>
      {children}
    </section>
  )
}
