import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { WelcomeSteps } from './welcome-steps.tsx'

export function WelcomePage(): ReactNode {
  const welcome = useQuery({ queryKey: ['welcome'], queryFn: () => api.welcome() })
  return (
    <Page title="First steps" name="First steps">
      <QueryView query={welcome}>{data => <WelcomeSteps welcome={data} />}</QueryView>
    </Page>
  )
}
