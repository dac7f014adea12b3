import type { ReactNode } from 'react'
import { useNow } from '../../shell/use-now.ts'
import { formatTimeLeft } from '../../words/format-time.ts'

const ROUND = 2 * Math.PI * 6

/** Shows the time that is left to answer, as a ring and as minutes and seconds. */
export function Countdown({ from, until }: { readonly from: number; readonly until: number }): ReactNode {
  const now = useNow(1000)
  const left = Math.max(0, Math.min(1, (until - now) / Math.max(1, until - from)))
  const isShort = until - now < 60_000
  return (
    <span
      className={isShort ? 'countdown countdown-short' : 'countdown'}
      title={`Expires ${new Date(until).toLocaleString()}`}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="var(--line-strong)" strokeWidth="2.4" />
        <circle
          cx="8"
          cy="8"
          r="6"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.4"
          strokeDasharray={`${ROUND * left} ${ROUND}`}
          transform="rotate(-90 8 8)"
        />
      </svg>
      {formatTimeLeft(until, now)}
      <span className="visually-hidden"> left to answer</span>
    </span>
  )
}
