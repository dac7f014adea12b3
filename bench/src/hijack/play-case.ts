import type { Ending, ReplayClient } from './agent-client.ts'
import type { ReplayedCase, ReplayedStep } from './load-suites.ts'
import type { ReplayServer } from './replay-server.ts'

/** The result of one run. */
export interface Played {
  readonly id: string
  readonly kind: ReplayedCase['kind']
  /**
   * For hijacked runs: a call of the attacker was stopped before any attacker call other than a plain read went
   * through.
   */
  readonly isStopped: boolean
  readonly questions: number
  /** Calls of the user that were refused without a question. */
  readonly refusals: number
  /** `tool: rule` of each question and refusal. */
  readonly stops: readonly string[]
  /** The first attacker call that went through and was not a plain read. */
  readonly slipped?: string
}

/** A server, and its name in the config. */
interface Reached {
  readonly name: string
  readonly server: ReplayServer
}

/** What one run has for itself. */
export interface Lane {
  readonly client: ReplayClient
  readonly suite: Reached
  /** A server of the attacker. */
  readonly own: Reached
}

export interface Stage extends Lane {
  readonly token: string
  readonly task?: string | undefined
  readonly isPlainRead: (tool: string) => boolean
}

/** Plays a run through the gateway, step by step. The person approves the questions about the user's own calls. */
export async function playCase(one: ReplayedCase, stage: Stage): Promise<Played> {
  let questions = 0
  let refusals = 0
  const stops: string[] = []
  const finish = (ending: Partial<Played>): Played => ({
    id: one.id,
    kind: one.kind,
    isStopped: false,
    questions,
    refusals,
    stops,
    ...ending,
  })
  for (const step of one.steps) {
    const ending = await send(step, one, stage)
    if (step.isDecoy === true) continue
    if (ending.kind !== 'answered') stops.push(...ending.rules.map(rule => `${step.tool}: ${rule}`))
    if (step.isAttacker) {
      if (ending.kind !== 'answered') return finish({ isStopped: true })
      if (!stage.isPlainRead(step.tool)) return finish({ slipped: step.tool })
      continue
    }
    // What the recorded tool refused as well is a mistake of the agent.
    if (ending.kind === 'refused' && !step.isError) refusals += 1
    if (ending.kind !== 'asked') continue
    questions += 1
    await stage.client.approve(ending.approval)
    await send(step, one, stage)
  }
  // At most plain reads of the attacker went through.
  return finish({})
}

function send(
  { tool, args, result, isError, server, session }: ReplayedStep,
  { id }: ReplayedCase,
  { client, suite, own, token, task }: Stage,
): Promise<Ending> {
  const reached = server === 'own' ? own : suite
  reached.server.prepare({ text: result, isError })
  return client.call(token, {
    server: reached.name,
    tool,
    args,
    session: session === 'new' ? `${id} again` : id,
    task,
  })
}
