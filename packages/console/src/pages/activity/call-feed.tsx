import type { ReactNode } from 'react'
import type { Call } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { OutcomeBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'
import { formatDuration } from '../../words/format-time.ts'

interface Props {
  readonly calls: readonly Call[]
  readonly onEnd: () => void
}

/** Shows calls as sentences. */
export function CallFeed({ calls, onEnd }: Props): ReactNode {
  return (
    <div className="feed">
      <VirtualList
        count={calls.length}
        estimate={61}
        keyOf={index => calls[index]?.request ?? String(index)}
        onEnd={onEnd}
        row={index => {
          const call = calls[index]
          return call === undefined ? null : <FeedItem call={call} />
        }}
      />
    </div>
  )
}

function FeedItem({ call }: { readonly call: Call }): ReactNode {
  const { request, at, agent, server, tool, variant, outcome, code, durationMs, sentence, repeats } = call
  return (
    <a className="feed-item" href={`#${pathOf.call(request)}`}>
      <span className={`feed-dot feed-${variant ?? 'none'}`} title={variant} />
      <span className="grow">
        <span className="feed-sentence">
          <Untrusted text={sentence} max={220} />
        </span>
        <span className="feed-foot">
          <Untrusted text={agent} max={60} /> · <Untrusted text={`${server}:${tool}`} max={120} />
          {code !== undefined && (
            <>
              {' '}
              · <code>{code}</code>
            </>
          )}
          {repeats !== undefined && ` · ${repeats} more ${repeats === 1 ? 'time' : 'times'}`}
        </span>
      </span>
      <span className="feed-side">
        <OutcomeBadge outcome={outcome} code={code} />
        <span className="faint small">
          {durationMs !== undefined && `${formatDuration(durationMs)} · `}
          <Ago at={at} />
        </span>
      </span>
    </a>
  )
}
