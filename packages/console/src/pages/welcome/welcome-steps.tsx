import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Welcome } from '../../api/client.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatCount } from '../../words/format-count.ts'
import { type Step, stepsOf } from './steps.ts'
import './welcome.css'

const STEP_TEXTS: Readonly<Record<Step['id'], { readonly title: string; readonly text: string }>> = {
  servers: {
    title: 'Add your servers',
    text: 'Add MCP servers, or import the ones that clients on this machine already use.',
  },
  review: {
    title: 'Review their tools',
    text: 'New tools are hidden from agents until you approve them.',
  },
  connect: {
    title: 'Connect a client',
    text: 'Create a token for an agent and set this URL in its client. The first call appears here.',
  },
}

export function WelcomeSteps({ welcome }: { readonly welcome: Welcome }): ReactNode {
  const steps = stepsOf(welcome)
  const current = steps.find(({ isDone }) => !isDone)?.id
  return (
    <section className="welcome" aria-label="First steps">
      <h2 className="welcome-title">Welcome to Hintgate</h2>
      <p className="quiet">Three steps to route every agent call through one safe endpoint.</p>
      <ol className="welcome-steps">
        {steps.map(({ id, isDone }, index) => (
          <li key={id} className={id === current ? 'welcome-step welcome-now' : 'welcome-step'}>
            <span className={isDone ? 'welcome-number welcome-done' : 'welcome-number'}>
              {isDone ? <Check size={15} aria-hidden="true" strokeWidth={3} /> : index + 1}
              <span className="visually-hidden">{isDone ? 'done' : ''}</span>
            </span>
            <div className="stack welcome-words">
              <h3>{STEP_TEXTS[id].title}</h3>
              <p className="quiet small">{STEP_TEXTS[id].text}</p>
              <StepAction id={id} welcome={welcome} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function StepAction({ id, welcome }: { readonly id: Step['id']; readonly welcome: Welcome }): ReactNode {
  if (id === 'servers')
    return (
      <a href="#/servers">
        {welcome.servers === 0 ? 'Add or import servers' : formatCount(welcome.servers, 'server')}
      </a>
    )
  if (id === 'review')
    return (
      <a href="#/review">
        {welcome.waiting === 0
          ? 'Nothing to review'
          : `${formatCount(welcome.waiting, 'definition')} to review`}
      </a>
    )
  const endpoint = `${location.origin}/mcp`
  return (
    <>
      <p className="row-wrap">
        <code className="welcome-endpoint">{endpoint}</code>
        <CopyButton text={endpoint} />
      </p>
      <a href="#/agents">{welcome.agents === 0 ? 'Create a token' : formatCount(welcome.agents, 'token')}</a>
    </>
  )
}
