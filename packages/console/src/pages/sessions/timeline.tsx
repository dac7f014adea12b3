import { Activity } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Call, Session } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { RISK_FACTORS } from '../../parts/risk-factors-diagram.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { OutcomeBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'

interface Props {
  readonly calls: readonly Call[]
  readonly riskFactors: Session['riskFactors']
}

export function Timeline({ calls, riskFactors }: Props): ReactNode {
  if (calls.length === 0) return <Empty icon={Activity} title="No recorded calls" />
  return (
    <ol className="timeline">
      {calls.map(({ request, at, server, tool, variant, outcome, code, sentence }) => {
        const added = riskFactors.filter(factor => factor.request === request)
        return (
          <li key={request} className={`timeline-item timeline-${variant ?? 'none'}`}>
            <a href={`#${pathOf.call(request)}`} className="timeline-call">
              <span className="grow">
                <Untrusted text={sentence} max={200} />
                <span className="faint small timeline-foot">
                  <Untrusted text={`${server}:${tool}`} max={100} /> · <Ago at={at} />
                </span>
              </span>
              {added.map(({ factor }) => (
                <Badge key={factor} tone="warn">
                  + {RISK_FACTORS.find(each => each.factor === factor)?.label.toLowerCase()}
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
