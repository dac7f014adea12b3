import type { ReactNode } from 'react'
import type { HintValue } from '../api/client.ts'

type Source = HintValue['source']

/**
 * The shape for each source of a hint: a diamond for an override, a disc for declared, a half disc for inferred, and a
 * dashed ring for assumed.
 */
const SHAPES: Readonly<Record<Source, ReactNode>> = {
  override: <path d="M5 .6 9.4 5 5 9.4.6 5Z" fill="currentColor" />,
  declared: <circle cx="5" cy="5" r="3.6" fill="currentColor" />,
  inferred: (
    <>
      <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <path d="M5 1.6a3.4 3.4 0 0 0 0 6.8Z" fill="currentColor" />
    </>
  ),
  default: (
    <circle
      cx="5"
      cy="5"
      r="3.3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeDasharray="1.6 1.3"
    />
  ),
}

export function SourceMark({ source }: { readonly source: Source }): ReactNode {
  return (
    <svg className="source-mark" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      {SHAPES[source]}
    </svg>
  )
}
