import { CircleAlert, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { explainFailure } from '../api/explain-failure.ts'
import { Button } from './button.tsx'
import './state.css'

interface EmptyProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Shows that a page or list is empty, with the reason and the next step. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps): ReactNode {
  return (
    <div className="state">
      <Icon size={22} aria-hidden="true" className="state-icon" />
      <p className="strong">{title}</p>
      {children !== undefined && <p className="state-text">{children}</p>}
      {action}
    </div>
  )
}

export function Loading({ rows = 4 }: { readonly rows?: number }): ReactNode {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">Loading…</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholder bars
        <span key={row} className="loading-bar" />
      ))}
    </div>
  )
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const { title, detail } = explainFailure(error)
  return (
    <div className="state" role="alert">
      <CircleAlert size={22} aria-hidden="true" className="state-icon state-icon-bad" />
      <p className="strong">{title}</p>
      {detail !== undefined && <p className="state-text">{detail}</p>}
      {onRetry !== undefined && (
        <Button size="small" onPress={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
