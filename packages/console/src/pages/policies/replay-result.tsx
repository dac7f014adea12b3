import type { ReactNode } from 'react'
import type { Replay } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Card } from '../../parts/card.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VerdictBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'
import { formatCount } from '../../words/format-count.ts'

const SHOWN = 50

/** Shows the recorded calls whose verdict would change. */
export function ReplayResult({
  result,
  isStale,
}: {
  readonly result: Replay
  readonly isStale: boolean
}): ReactNode {
  const { looked, skipped, changedCount, changed } = result
  return (
    <Card
      title="Replay"
      about={
        isStale
          ? 'The text has changed since this replay. Replay again.'
          : `${formatCount(looked, 'recorded call')} replayed${skipped > 0 ? `, ${skipped} skipped` : ''}`
      }
      flush
    >
      {changedCount === 0 ? (
        <p className="replay-none" role="status">
          No verdict would change.
        </p>
      ) : (
        <>
          <p className="replay-none" role="status">
            The verdict on <b>{formatCount(changedCount, 'call')}</b> would change.
          </p>
          <ul className="replay divided">
            {changed.slice(0, SHOWN).map(({ request, at, tool, agent, before, after }) => (
              <li key={request}>
                <a className="grow" href={`#${pathOf.call(request)}`}>
                  <span className="mono">
                    <Untrusted text={tool} max={100} />
                  </span>
                  <span className="faint small replay-foot">
                    <Untrusted text={agent} max={60} /> · <Ago at={at} />
                  </span>
                </a>
                <VerdictBadge verdict={before} /> → <VerdictBadge verdict={after} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
