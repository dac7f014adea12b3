import type { ReactNode } from 'react'
import type { Call } from '../../api/client.ts'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { OutcomeBadge, VariantBadge, VerdictBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'
import { formatClock, formatDuration } from '../../words/format-time.ts'

interface Props {
  readonly calls: readonly Call[]
  readonly onEnd: () => void
}

const COLUMNS = ['Time', 'Agent', 'Tool', 'Variant', 'Verdict', 'Outcome', 'Duration'] as const

export function CallTable({ calls, onEnd }: Props): ReactNode {
  return (
    <div className="table-scroll">
      <table className="calls" aria-label="Calls">
        <thead>
          <tr className="calls-row calls-head">
            {COLUMNS.map(column => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <VirtualList
          isTable
          count={calls.length}
          estimate={41}
          keyOf={index => calls[index]?.request ?? String(index)}
          rowClass={() => 'calls-row'}
          onEnd={onEnd}
          row={index => {
            const call = calls[index]
            return call === undefined ? null : <CallRow call={call} />
          }}
        />
      </table>
    </div>
  )
}

function CallRow({ call }: { readonly call: Call }): ReactNode {
  const { request, at, agent, server, tool, variant, verdict, outcome, code, durationMs } = call
  return (
    <>
      <td className="cut">
        <a href={`#${pathOf.call(request)}`}>{formatClock(at)}</a>
      </td>
      <td className="cut">
        <Untrusted text={agent} max={60} />
      </td>
      <td className="cut mono">
        <Untrusted text={`${server}:${tool}`} max={120} />
      </td>
      <td>{variant !== undefined && <VariantBadge variant={variant} />}</td>
      <td>{verdict !== undefined && <VerdictBadge verdict={verdict} />}</td>
      <td>
        <OutcomeBadge outcome={outcome} code={code} />
      </td>
      <td className="number">{formatDuration(durationMs)}</td>
    </>
  )
}
