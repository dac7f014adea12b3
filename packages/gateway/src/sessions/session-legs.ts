import { type EffectiveHints, LEGS, type LegMark, type SessionLegs } from '@hintgate/metadata'
import type { Rules } from '../policy/rules.ts'
import { ownerName } from '../scope/scope.ts'
import type { SessionMemory, SessionName } from './session-memory.ts'

interface Deps {
  readonly sessions: SessionMemory
  readonly rules: () => Pick<Rules, 'confirm'>
}

type LegMarkOf = Pick<LegMark, 'tool' | 'request' | 'at'>

export interface SessionOf {
  readonly session: SessionName
  readonly at: number
}

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

/**
 * The same without what a call and its preview brought themselves, which is no reason against it. Where they made a leg certain
 * that was assumed `before`, it is assumed again.
 */
export function legsBeside(request: string, found: Legs, before: Legs): Legs {
  const own = [request, previewOf(request)]
  const others = (legs: SessionLegs, then: SessionLegs = {}): SessionLegs => {
    const marks = LEGS.map(leg => [leg, own.includes(legs[leg]?.request ?? '') ? then[leg] : legs[leg]])
    return Object.fromEntries(marks.filter(([, mark]) => mark !== undefined))
  }
  const { legs, across } = found
  const beside = others(legs, before.legs)
  return across === undefined ? { legs: beside } : { legs: beside, across: others(across, before.across) }
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

/** `mark` is how the session remembers what brought a leg. */
export function noteMark(
  { session, mark }: { readonly session: SessionName; readonly mark: LegMarkOf },
  { sessions, rules }: Deps,
  effective: EffectiveHints,
): undefined | Promise<void> {
  const own = sessions.note(session, effective, mark)
  if (!rules().confirm.acrossSessions) return own
  return both(own, sessions.note(allOf(session), effective, mark))
}

/** All sessions of a caller as one. Nobody can name it, because what a caller names is never empty. */
function allOf({ principal }: SessionName): SessionName {
  return { session: `${ownerName(principal)}/`, principal }
}

function both(one: undefined | Promise<void>, other: undefined | Promise<void>): undefined | Promise<void> {
  if (one === undefined || other === undefined) return one ?? other
  return Promise.all([one, other]).then(() => {})
}

/** Under which its preview is made and remembered. */
export function previewOf(request: string): string {
  return `${request}.preview`
}
