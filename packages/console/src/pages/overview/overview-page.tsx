import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Segments } from '../../parts/segments.tsx'
import { isSetUp } from '../welcome/steps.ts'
import { useWelcome } from '../welcome/use-welcome.ts'
import { WelcomeSteps } from '../welcome/welcome-steps.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { CallsCard } from './calls-card.tsx'
import { HealthCard } from './health-card.tsx'
import { QuestionsCard } from './questions-card.tsx'
import { Tiles } from './tiles.tsx'
import './overview.css'

const WINDOWS = [
  { id: '1h', label: '1 hour' },
  { id: '24h', label: '24 hours' },
  { id: '7d', label: '7 days' },
] as const

export function OverviewPage(): ReactNode {
  const [window, setWindow] = useState<'1h' | '24h' | '7d'>('24h')
  const welcome = useWelcome()
  const overview = useQuery({
    queryKey: ['overview', window],
    queryFn: () => api.overview({ query: { window } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Overview"
      name="Overview"
      about="Recent calls, decisions that are waiting for you, and the health of the servers."
      actions={<Segments label="Time window" options={WINDOWS} value={window} onChange={setWindow} />}
    >
      {welcome.data !== undefined && !isSetUp(welcome.data) && <WelcomeSteps welcome={welcome.data} />}
      <QueryView query={overview} rows={8}>
        {data => (
          <>
            <Tiles overview={data} />
            <CallsCard overview={data} />
            <QuestionsCard questions={data.questions} />
            <div className="halves">
              <AlertsCard alerts={data.alerts} />
              <HealthCard />
            </div>
          </>
        )}
      </QueryView>
    </Page>
  )
}
