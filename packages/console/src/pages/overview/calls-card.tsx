import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Overview } from '../../api/client.ts'
import { Boundary } from '../../parts/boundary.tsx'
import { Card } from '../../parts/card.tsx'
import { Segments } from '../../parts/segments.tsx'
import { fixLanguage } from '../../words/fix-language.ts'
import type { Series } from './call-chart.tsx'
import './call-chart.css'

/** Loaded later than the rest of the page, because the chart library is large. */
const CallChart = lazy(async () => {
  fixLanguage(navigator)
  return { default: (await import('./call-chart.tsx')).CallChart }
})

const BY_VARIANT: readonly Series[] = [
  { measure: 'destructive', label: 'destructive', colour: '--destructive' },
  { measure: 'write', label: 'write', colour: '--write' },
  { measure: 'read', label: 'read', colour: '--read' },
]

const BY_VERDICT: readonly Series[] = [
  { measure: 'failed', label: 'failed', colour: '--faded' },
  { measure: 'refused', label: 'refused', colour: '--destructive' },
  { measure: 'asked', label: 'needed approval', colour: '--write' },
  { measure: 'allowed', label: 'allowed', colour: '--calm' },
]

const VIEWS = [
  { id: 'variant', label: 'By variant' },
  { id: 'verdict', label: 'By verdict' },
] as const

export function CallsCard({ overview }: { readonly overview: Overview }): ReactNode {
  const [view, setView] = useState<'variant' | 'verdict'>('variant')
  const series = view === 'variant' ? BY_VARIANT : BY_VERDICT
  const summary = series.map(({ measure, label }) => `${overview.totals[measure]} ${label}`).join(', ')
  return (
    <Card
      title="Calls"
      about={overview.isCut ? 'Only the newest calls are counted, because there are too many' : undefined}
      actions={<Segments label="Group calls by" options={VIEWS} value={view} onChange={setView} />}
    >
      <Boundary fallback={<p className="chart quiet">This browser cannot show the chart.</p>}>
        <Suspense fallback={<div className="chart" />}>
          <CallChart buckets={overview.buckets} series={series} label={`Calls over time: ${summary}`} />
        </Suspense>
      </Boundary>
      <p className="chart-keys">
        {series.toReversed().map(({ measure, label, colour }) => (
          <span key={measure} className="chart-key">
            <span className="chart-swatch" style={{ background: `var(${colour})` }} />
            {label} <b>{overview.totals[measure].toLocaleString('en')}</b>
          </span>
        ))}
      </p>
    </Card>
  )
}
