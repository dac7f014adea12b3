import { type EffectiveHints, LEGS, type SessionLegs } from '@hintgate/metadata'
import { ownerName } from '../scope/scope.ts'
import type { CallDeps } from './call-deps.ts'
import { previewOf } from './preview.ts'
import type { Walk } from './walk.ts'

type Deps = Pick<CallDeps, 'sessions' | 'rules'>
type SessionOf = Pick<Walk, 'session' | 'at'>

/** What a call is judged by: the legs of its session, and where those count, too, of all sessions of its caller. */
export interface Legs {
  readonly legs: SessionLegs
  readonly across?: SessionLegs | undefined
}

/** To be waited for before anybody asks for legs; mostly there is nothing to wait for. */
export function readyLegs(
  { session, at }: SessionOf,
  { sessions, rules }: Deps,
  effective?: EffectiveHints,
): undefined | Promise<void> {
  const own = sessions.ready(session, at, effective)
  if (!rules().confirm.acrossSessions) return own
  return both(own, sessions.ready(allOf(session), at, effective))
}

export function legsFor({ session, at }: SessionOf, { sessions, rules }: Deps): Legs {
  const legs = sessions.legsOf(session.session, at)
  if (!rules().confirm.acrossSessions) return { legs }
  return { legs, across: sessions.legsOf(allOf(session).session, at) }
}

/** The same without what a call and its preview brought themselves, which is no reason against it. */
export function legsBeside(request: string, found: Legs): Legs {
  const own = [request, previewOf(request)]
  const others = (legs: SessionLegs): SessionLegs =>
    Object.fromEntries(Object.entries(legs).filter(([, mark]) => !own.includes(mark.request)))
  const { legs, across } = found
  return { legs: others(legs), ...(across === undefined ? {} : { across: others(across) }) }
}

/** Whether something was touched since by others than this request. Every call comes by here. */
export function isTouched(now: Legs, before: Legs, request: string): boolean {
  return hasNew(now.legs, before.legs, request) || hasNew(now.across, before.across, request)
}

function hasNew(now: SessionLegs | undefined, before: SessionLegs | undefined, request: string): boolean {
  if (now === before || now === undefined) return false
  for (const leg of LEGS) {
    const by = now[leg]?.request
    if (by !== undefined && by !== before?.[leg]?.request && by !== request && by !== previewOf(request))
      return true
  }
  return false
}

/** What the call brings stays with its session, and is safe when the promise is. */
export function noteLegs(
  { session, mark }: Pick<Walk, 'session' | 'mark'>,
  { sessions, rules }: Deps,
  effective: EffectiveHints,
): undefined | Promise<void> {
  const own = sessions.note(session, effective, mark)
  if (!rules().confirm.acrossSessions) return own
  return both(own, sessions.note(allOf(session), effective, mark))
}

/** All sessions of a caller as one. Nobody can name it, because what a caller names is never empty. */
function allOf({ principal }: Walk['session']): Walk['session'] {
  return { session: `${ownerName(principal)}/`, principal }
}

function both(one: undefined | Promise<void>, other: undefined | Promise<void>): undefined | Promise<void> {
  if (one === undefined || other === undefined) return one ?? other
  return Promise.all([one, other]).then(() => {})
}
