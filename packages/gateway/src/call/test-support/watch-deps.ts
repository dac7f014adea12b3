import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import type { CallDeps } from '../call-deps.ts'
import { STEPS, type Steps, type Watched } from '../steps.ts'

/** The steps of a call that ends with an answer, in order. A call that ends early skips to the last step. */
export const ORDER = [
  'list tools',
  'load session',
  'decide',
  'check arguments',
  'count',
  'confirm',
  'take turn',
  'note session',
  'write intent',
  'forward',
  'send',
  'recheck',
  'inspect',
  'write outcome',
] as const

export type Step = (typeof ORDER)[number] | 'judge anew' | 'ask a person' | 'spend the approval'

/** Functions that run when a call reaches a step, before it takes the step. */
export type At = Readonly<Partial<Record<Step, () => unknown>>>

/** Wraps the parts that a call uses, and records each use as a step. */
export function watchDeps<T extends CallDeps>(deps: T, steps: string[], at: At): T & Watched {
  const note = (step: Step): unknown => {
    steps.push(step)
    return at[step]?.()
  }
  const watch = <P extends object>(part: P, names: Readonly<Record<string, Step>>) =>
    watchUses(part, names, note)
  const { findServer, scopeNow } = deps
  return {
    ...deps,
    catalog: watch(deps.catalog, { ensure: 'list tools', objectTo: 'recheck' }),
    sessions: watch(deps.sessions, { ready: 'load session', note: 'note session' }),
    rates: watch(deps.rates, { take: 'count' }),
    turns: watch(deps.turns, { take: 'take turn' }),
    approvals: watch(deps.approvals, { ask: 'ask a person', spend: 'spend the approval' }),
    recorder: watch(deps.recorder, { intent: 'write intent', outcome: 'write outcome' }),
    scopeNow: principal => {
      note('judge anew')
      return scopeNow(principal)
    },
    findServer: name => {
      const server = findServer(name)
      if (server === undefined) return undefined
      const config = watch(server.config, { checkArguments: 'check arguments' })
      const send = watchSend(server, note)
      return new Proxy(watch(server, {}), {
        get: (target, key) =>
          key === 'config' ? config : key === 'send' ? send : Reflect.get(target, key, target),
      })
    },
    watch: (_, walk) => walk(watchSteps(note)),
  }
}

function watchSteps(note: (step: Step) => unknown): Steps {
  return {
    decide(...given) {
      note('decide')
      return STEPS.decide(...given)
    },
    async confirm(...given) {
      await note('confirm')
      return STEPS.confirm(...given)
    },
    async forward(...given) {
      await note('forward')
      return STEPS.forward(...given)
    },
    async inspect(...given) {
      await note('inspect')
      return STEPS.inspect(...given)
    },
  }
}

/** Records `send` as a step, except for requests for the list of tools, which are sent in the same way. */
function watchSend(server: UpstreamServer, note: (step: Step) => unknown): UpstreamServer['send'] {
  return request => {
    if (request.method === 'tools/call') note('send')
    return server.send(request)
  }
}

function watchUses<P extends object>(
  part: P,
  names: Readonly<Record<string, Step>>,
  note: (step: Step) => unknown,
): P {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      const step = typeof key === 'string' ? names[key] : undefined
      if (typeof value !== 'function') {
        if (step !== undefined) note(step)
        return value
      }
      return (...given: unknown[]): unknown => {
        if (step !== undefined) note(step)
        return Reflect.apply(value, target, given)
      }
    },
  })
}
