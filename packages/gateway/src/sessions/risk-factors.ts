import {
  RISK_FACTORS,
  type RiskFactorMark,
  type RiskyTool,
  type SessionRiskFactors,
} from '@hintgate/metadata'
import type { Rules } from '../policy/rules.ts'
import type { ReadSoFar } from '../provenance/find-origin.ts'
import type { PassageMemory } from '../provenance/passage-memory.ts'
import { ownerName } from '../scope/scope.ts'
import type { SessionMemory, SessionName } from './session-memory.ts'

interface Deps {
  readonly sessions: SessionMemory
  readonly rules: () => Pick<Rules, 'confirm'>
  readonly passages?: Pick<PassageMemory, 'ready' | 'readSoFar'>
}

type NewMark = Pick<RiskFactorMark, 'tool' | 'request' | 'at'>

export interface SessionOf {
  readonly session: SessionName
  readonly at: number
}

/**
 * The risk factors by which a call is judged: those of its session and, if a caller's sessions count together, those of
 * all these sessions.
 */
export interface KnownRiskFactors {
  readonly riskFactors: SessionRiskFactors
  readonly across?: SessionRiskFactors | undefined
  /** The passages that the caller has read and that ask for calls. Absent if there are none. */
  readonly read?: ReadSoFar | undefined
}

/** Loads the risk factors of a session. Await this before reading them; usually there is nothing to wait for. */
export function prepareRiskFactors(
  { session, at }: SessionOf,
  { sessions, rules, passages }: Deps,
  effective?: RiskyTool,
): undefined | Promise<void> {
  const own = both(sessions.ready(session, at, effective), passages?.ready(session.principal))
  if (!rules().confirm.acrossSessions) return own
  return both(own, sessions.ready(allOf(session), at, effective))
}

export function riskFactorsFor(
  { session, at }: SessionOf,
  { sessions, rules, passages: memory }: Deps,
): KnownRiskFactors {
  const riskFactors = sessions.riskFactorsOf(session.session, at)
  const known = memory?.readSoFar(session, at)
  const read = known?.passages.length === 0 ? undefined : known
  if (!rules().confirm.acrossSessions) return read === undefined ? { riskFactors } : { riskFactors, read }
  return { riskFactors, read, across: sessions.riskFactorsOf(allOf(session).session, at) }
}

/**
 * Returns the risk factors without those that the call itself and its preview added, because a call does not count
 * against itself. If they turned an assumed factor into a declared one, it becomes an assumed one again.
 */
export function riskFactorsFromOthers(
  request: string,
  found: KnownRiskFactors,
  before: KnownRiskFactors,
): KnownRiskFactors {
  const own = [request, previewOf(request)]
  const others = (riskFactors: SessionRiskFactors, then: SessionRiskFactors = {}): SessionRiskFactors => {
    const marks = RISK_FACTORS.map(factor => [
      factor,
      own.includes(riskFactors[factor]?.request ?? '') ? then[factor] : riskFactors[factor],
    ])
    return Object.fromEntries(marks.filter(([, mark]) => mark !== undefined))
  }
  const { riskFactors, across } = found
  const beside = others(riskFactors, before.riskFactors)
  return across === undefined
    ? { ...found, riskFactors: beside }
    : { ...found, riskFactors: beside, across: others(across, before.across) }
}

/** Whether other requests have changed the risk factors or the passages since `before`. Runs on every call. */
export function isTouched(now: KnownRiskFactors, before: KnownRiskFactors, request: string): boolean {
  return (
    now.read?.passages !== before.read?.passages ||
    hasNew(now.riskFactors, before.riskFactors, request) ||
    hasNew(now.across, before.across, request)
  )
}

function hasNew(
  now: SessionRiskFactors | undefined,
  before: SessionRiskFactors | undefined,
  request: string,
): boolean {
  if (now === before || now === undefined) return false
  for (const factor of RISK_FACTORS) {
    const by = now[factor]?.request
    if (by !== undefined && by !== before?.[factor]?.request && by !== request && by !== previewOf(request))
      return true
  }
  return false
}

/** Adds a call's risk factors to its session. `mark` identifies the call. */
export function noteMark(
  { session, mark }: { readonly session: SessionName; readonly mark: NewMark },
  { sessions, rules }: Deps,
  effective: RiskyTool,
): undefined | Promise<void> {
  const own = sessions.note(session, effective, mark)
  if (!rules().confirm.acrossSessions) return own
  return both(own, sessions.note(allOf(session), effective, mark))
}

/**
 * Returns the name under which all sessions of a caller count as one. No caller can choose this name, because its
 * session part is empty.
 */
function allOf({ principal }: SessionName): SessionName {
  return { session: `${ownerName(principal)}/`, principal }
}

function both(one: undefined | Promise<void>, other: undefined | Promise<void>): undefined | Promise<void> {
  if (one === undefined || other === undefined) return one ?? other
  return Promise.all([one, other]).then(() => {})
}

/** Returns the id under which the preview of a request is made and stored. */
export function previewOf(request: string): string {
  return `${request}.preview`
}
