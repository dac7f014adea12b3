import type { ReactNode } from 'react'
import type { Approval } from '../../api/client.ts'
import { RISK_FACTORS, RiskFactorsDiagram } from '../../parts/risk-factors-diagram.tsx'
import { Section } from '../../parts/section.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'

const LEVELS: Readonly<Record<Approval['risk'], string>> = {
  none: 'This session has none of the three risk factors.',
  some: 'This session has some of the three risk factors.',
  trifecta:
    'This session has all three risk factors. Untrusted content could make the agent send private data out.',
}

export function SessionRisk({
  approval: { riskFactors, risk, session },
}: {
  readonly approval: Approval
}): ReactNode {
  return (
    <Section title="Session risk" about={<a href={`#${pathOf.session(session)}`}>View session</a>}>
      <div className="risk">
        <div className="risk-picture">
          <RiskFactorsDiagram riskFactors={riskFactors} small />
        </div>
        <div className="stack risk-words">
          <p>{LEVELS[risk]}</p>
          <ul className="small">
            {riskFactors.map(({ factor, tool, basis }) => (
              <li key={factor}>
                <span className="strong">{RISK_FACTORS.find(each => each.factor === factor)?.label}</span>{' '}
                <span className="quiet">
                  from <Untrusted text={tool} max={120} />
                  {basis === 'assumed' && ', assumed'}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Section>
  )
}
