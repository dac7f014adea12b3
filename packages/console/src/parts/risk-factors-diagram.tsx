import type { ReactNode } from 'react'
import type { Session } from '../api/client.ts'
import './risk-factors-diagram.css'

type RiskFactor = Session['riskFactors'][number]

export const RISK_FACTORS: readonly {
  readonly factor: RiskFactor['factor']
  readonly label: string
  readonly x: number
  readonly y: number
}[] = [
  { factor: 'private_data', label: 'Private data', x: 80, y: 58 },
  { factor: 'untrusted_content', label: 'Untrusted content', x: 140, y: 58 },
  { factor: 'external_communication', label: 'External communication', x: 110, y: 108 },
]

interface Props {
  readonly riskFactors: readonly Pick<RiskFactor, 'factor' | 'basis'>[]
  readonly small?: boolean
}

/**
 * Shows three overlapping circles, one for each risk factor. A circle is filled if the session has touched that risk
 * factor.
 */
export function RiskFactorsDiagram({ riskFactors, small = false }: Props): ReactNode {
  const touched = RISK_FACTORS.filter(({ factor }) => riskFactors.some(each => each.factor === factor))
  const isComplete = touched.length === RISK_FACTORS.length
  const summary = touched.length === 0 ? 'none' : touched.map(({ label }) => label.toLowerCase()).join(', ')
  return (
    <svg
      className={isComplete ? 'risk-factors risk-factors-complete' : 'risk-factors'}
      viewBox={small ? '34 12 152 142' : '0 0 220 166'}
      role="img"
      aria-label={isComplete ? `Lethal trifecta: ${summary}` : `Session risk factors: ${summary}`}
      data-risk-factors={touched.length}
    >
      {RISK_FACTORS.map(({ factor, x, y }) => {
        const found = riskFactors.find(each => each.factor === factor)
        const how = found === undefined ? 'risk-factor-empty' : `risk-factor-${found.basis}`
        return <circle key={factor} className={`risk-factor ${how}`} cx={x} cy={y} r="42" />
      })}
      {!small &&
        RISK_FACTORS.map(({ factor, label, x, y }) => (
          <text
            key={factor}
            className="risk-factor-label"
            x={factor === 'external_communication' ? x : x < 110 ? 50 : 170}
            y={factor === 'external_communication' ? 164 : y - 48}
            textAnchor="middle"
          >
            {label}
          </text>
        ))}
    </svg>
  )
}
