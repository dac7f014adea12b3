import type { ReactNode } from 'react'
import type { Overview } from '../../api/client.ts'
import { formatDuration } from '../../words/format-time.ts'

interface TileProps {
  readonly label: string
  readonly value: ReactNode
  readonly note?: ReactNode
  readonly to: string
  readonly tone?: 'bad' | 'warn' | undefined
}

function Tile({ label, value, note, to, tone }: TileProps): ReactNode {
  return (
    <a className="tile" href={`#${to}`}>
      <span className="tile-label">{label}</span>
      <span className={tone === undefined ? 'tile-value' : `tile-value tile-${tone}`}>{value}</span>
      <span className="tile-note">{note}</span>
    </a>
  )
}

const number = (value: number): string => value.toLocaleString('en')

export function Tiles({ overview }: { readonly overview: Overview }): ReactNode {
  const { totals, latency, servers, waiting, window } = overview
  const share = (part: number): string =>
    totals.calls === 0 ? '–' : `${((part / totals.calls) * 100).toFixed(1)} %`
  return (
    <div className="tiles">
      <Tile
        label="Calls"
        value={number(totals.calls)}
        note={`in the last ${window}`}
        to={`/activity?since=${window}`}
      />
      <Tile
        label="Refused"
        value={number(totals.refused)}
        note={`${share(totals.refused)} of calls`}
        to={`/activity?verdict=deny&since=${window}`}
      />
      <Tile
        label="Latency, median"
        value={formatDuration(latency.p50)}
        note={
          latency.p95 === undefined
            ? 'no calls forwarded'
            : `p95 ${formatDuration(latency.p95)} · p99 ${formatDuration(latency.p99)}`
        }
        to="/activity"
      />
      <Tile
        label="Servers ready"
        value={`${servers.ready} of ${servers.total}`}
        note={
          servers.down > 0
            ? `${servers.down} down`
            : servers.starting > 0
              ? `${servers.starting} starting`
              : 'all healthy'
        }
        to="/servers"
        tone={servers.down > 0 ? 'bad' : undefined}
      />
      <Tile
        label="Waiting for you"
        value={number(waiting.approvals + waiting.tools)}
        note={`${waiting.approvals} to approve · ${waiting.tools} to review`}
        to={waiting.approvals > 0 || waiting.tools === 0 ? '/approvals' : '/review'}
        tone={waiting.approvals > 0 ? 'warn' : undefined}
      />
    </div>
  )
}
