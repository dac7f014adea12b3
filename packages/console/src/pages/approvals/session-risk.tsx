import type { ReactNode } from 'react'
import type { Approval } from '../../api/client.ts'
import { RISK_FACTORS, RiskFactorsDiagram } from '../../parts/risk-factors-diagram.tsx'
import { Section } from '../../parts/section.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'

const LEVELS: Readonly<Record<Approval['risk'], string>> = {
  none: 'This session has touched nothing that could be combined into an attack.',
  some: 'This session has some of what an attack needs.',
  trifecta: 'This session has everything an attack needs: it could be made to send private data out.',
}

export function SessionRisk({
  approval: { riskFactors, risk, session },
}: {
  readonly approval: Approval
}): ReactNode {
  return (
    <Section title="Risk of the session" about={<a href={`#${pathOf.session(session)}`}>open session</a>}>
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
