import type { ReactNode } from 'react'
import { useNow } from '../shell/use-now.ts'
import { formatAgo } from '../words/format-time.ts'

/** Shows a relative time, with the exact time as a tooltip. */
export function Ago({ at }: { readonly at: number | undefined }): ReactNode {
  const now = useNow()
  if (at === undefined) return <span className="faint">never</span>
  const exact = new Date(at)
  // The gateway's clock can be slightly ahead of the browser's clock.
  const seen = at > now && at - now < 60_000 ? at : now
  return (
    <time dateTime={exact.toISOString()} title={exact.toLocaleString()} className="ago">
      {formatAgo(at, seen)}
    </time>
  )
}
