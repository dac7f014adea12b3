import { Activity } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Call, Session } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { LEGS } from '../../parts/legs-picture.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { OutcomeBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'

interface Props {
  readonly calls: readonly Call[]
  readonly legs: Session['legs']
}

export function Timeline({ calls, legs }: Props): ReactNode {
  if (calls.length === 0) return <Empty icon={Activity} title="No recorded calls" />
  return (
    <ol className="timeline">
      {calls.map(({ request, at, server, tool, variant, outcome, code, sentence }) => {
        const brought = legs.filter(leg => leg.request === request)
        return (
          <li key={request} className={`timeline-item timeline-${variant ?? 'none'}`}>
            <a href={`#${pathOf.call(request)}`} className="timeline-call">
              <span className="grow">
                <Untrusted text={sentence} max={200} />
                <span className="faint small timeline-foot">
                  <Untrusted text={`${server}:${tool}`} max={100} /> · <Ago at={at} />
                </span>
              </span>
              {brought.map(({ leg }) => (
                <Badge key={leg} tone="warn">
                  + {LEGS.find(each => each.leg === leg)?.label.toLowerCase()}
                </Badge>
              ))}
              <OutcomeBadge outcome={outcome} code={code} />
            </a>
          </li>
        )
      })}
    </ol>
  )
}
