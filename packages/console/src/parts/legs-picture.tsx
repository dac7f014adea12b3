import type { ReactNode } from 'react'
import type { Session } from '../api/client.ts'
import './legs-picture.css'

type Leg = Session['legs'][number]

export const LEGS: readonly {
  readonly leg: Leg['leg']
  readonly label: string
  readonly x: number
  readonly y: number
}[] = [
  { leg: 'private_data', label: 'Private data', x: 80, y: 58 },
  { leg: 'untrusted_content', label: 'Untrusted content', x: 140, y: 58 },
  { leg: 'way_out', label: 'Way out', x: 110, y: 108 },
]

interface Props {
  readonly legs: readonly Pick<Leg, 'leg' | 'basis'>[]
  readonly small?: boolean
}

/** Three circles that fill as a session gets what an attack needs; where all three meet, it has everything. */
export function LegsPicture({ legs, small = false }: Props): ReactNode {
  const had = LEGS.filter(({ leg }) => legs.some(each => each.leg === leg))
  const isComplete = had.length === LEGS.length
  const said =
    had.length === 0 ? 'none of three legs' : had.map(({ label }) => label.toLowerCase()).join(', ')
  return (
    <svg
      className={isComplete ? 'legs legs-complete' : 'legs'}
      viewBox={small ? '34 12 152 142' : '0 0 220 166'}
      role="img"
      aria-label={isComplete ? `Lethal trifecta: ${said}` : `Session has: ${said}`}
      data-legs={had.length}
    >
      {LEGS.map(({ leg, x, y }) => {
        const found = legs.find(each => each.leg === leg)
        const how = found === undefined ? 'leg-empty' : `leg-${found.basis}`
        return <circle key={leg} className={`leg ${how}`} cx={x} cy={y} r="42" />
      })}
      {!small &&
        LEGS.map(({ leg, label, x, y }) => (
          <text
            key={leg}
            className="leg-label"
            x={leg === 'way_out' ? x : x < 110 ? 50 : 170}
            y={leg === 'way_out' ? 164 : y - 48}
            textAnchor="middle"
          >
            {label}
          </text>
        ))}
    </svg>
  )
}
