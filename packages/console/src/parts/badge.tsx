import type { ReactNode } from 'react'
import './badge.css'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info'

interface Props {
  readonly tone?: Tone
  /** Shows a dot before the text, for live states. */
  readonly dot?: boolean
  readonly title?: string
  readonly children: ReactNode
}

export function Badge({ tone = 'neutral', dot = false, title, children }: Props): ReactNode {
  return (
    <span className={`badge badge-${tone}`} title={title}>
      {dot && <span className="badge-dot" aria-hidden="true" />}
      {children}
    </span>
  )
}
