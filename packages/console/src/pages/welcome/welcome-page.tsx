import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { useWelcome } from './use-welcome.ts'
import { WelcomeSteps } from './welcome-steps.tsx'

export function WelcomePage(): ReactNode {
  const welcome = useWelcome()
  return (
    <Page title="First steps" name="First steps">
      <QueryView query={welcome}>{data => <WelcomeSteps welcome={data} />}</QueryView>
    </Page>
  )
}
