import type { DefinitionKind, StoredDefinition } from '../../store/store.ts'
import { NO_FINGERPRINT, type ReviewState } from '../judge-definition.ts'
import {
  EVERYTHING,
  findDefinition,
  isObjection,
  type Objection,
  objection,
  parseTarget,
  type Target,
  unknownServer,
} from './find-definition.ts'
import { hasFingerprint, idOf, type ReviewItem } from './review-item.ts'

export interface Wanted {
  /** The targets as typed. An empty list means all servers. */
  readonly targets: readonly string[]
  readonly kind?: DefinitionKind | undefined
  readonly states?: readonly ReviewState[] | undefined
  /** The states to select in bulk if no state is given. */
  readonly usualStates: readonly ReviewState[]
}

export interface Chosen extends ReviewItem {
  readonly how: 'by name' | 'by fingerprint' | 'by filter'
}

interface Selection {
  readonly chosen: readonly Chosen[]
  readonly objections: readonly Objection[]
}

interface Present {
  readonly known: readonly StoredDefinition[]
  readonly items: readonly ReviewItem[]
  /** Without a target, only these servers are selected. */
  readonly servers: ReadonlySet<string>
}

/** Finds all selected definitions before any of them is changed. Each is included only once. */
export function selectItems(present: Present, wanted: Wanted): Selection {
  const targets = wanted.targets.map(parseTarget)
  const found = targets.flatMap(target => (isObjection(target) ? [target] : select(present, target, wanted)))
  const everywhere = targets.length === 0 ? ofServers(present.items, present.servers, wanted) : []
  const chosen = new Map<StoredDefinition, Chosen>()
  for (const one of [...everywhere, ...found])
    if (!isObjection(one) && chosen.get(one.stored)?.how !== 'by fingerprint') chosen.set(one.stored, one)
  return { chosen: [...chosen.values()], objections: found.filter(isObjection) }
}

function select(present: Present, target: Target, wanted: Wanted): readonly (Chosen | Objection)[] {
  if (target.name !== EVERYTHING) return [selectOne(present, target, wanted)]
  const isKnown = present.known.some(({ server }) => server === target.server)
  return isKnown
    ? ofServers(present.items, new Set([target.server]), wanted)
    : [unknownServer(present.known, target.server)]
}

function ofServers(
  items: readonly ReviewItem[],
  servers: ReadonlySet<string>,
  { kind, states, usualStates }: Wanted,
): readonly Chosen[] {
  return items
    .filter(
      ({ stored, state }) =>
        servers.has(stored.server) &&
        (kind ?? stored.kind) === stored.kind &&
        (states ?? usualStates).includes(state),
    )
    .map(item => ({ ...item, how: 'by filter' }))
}

function selectOne({ known, items }: Present, target: Target, { kind, states }: Wanted): Chosen | Objection {
  const stored = findDefinition(known, target, kind)
  if (isObjection(stored)) return stored
  const item = items.find(one => one.stored === stored)
  if (item === undefined) return gone(stored)
  if (states?.includes(item.state) === false) return inOtherState(item, states)
  if (target.fingerprint === undefined) return { ...item, how: 'by name' }
  return item.current.fingerprint.startsWith(target.fingerprint)
    ? { ...item, how: 'by fingerprint' }
    : changed(item, target.fingerprint)
}

/** Returns the objection to a version that the reviewer saw but that is not the current one. */
function changed({ stored, current }: ReviewItem, seen: string): Objection {
  const id = JSON.stringify(idOf(stored))
  return objection(
    `${id} has changed since you looked at it: you saw ${seen.slice(0, 12)}, but the current version is ${current.fingerprint.slice(0, 12)}`,
    `nothing was done; run hintgate tools diff ${id} to see the change`,
  )
}

function gone(stored: StoredDefinition): Objection {
  return objection(
    `the server no longer has the ${stored.kind} ${JSON.stringify(idOf(stored))}`,
    `run hintgate tools history ${JSON.stringify(idOf(stored))} to see its versions`,
  )
}

function inOtherState({ stored, state }: ReviewItem, states: readonly ReviewState[]): Objection {
  return objection(
    `${JSON.stringify(idOf(stored))} is ${state}, not ${states.join(' or ')}`,
    'omit --state to select it in its current state',
  )
}

interface Sorted {
  readonly sound: readonly Chosen[]
  /** Definitions left out of a bulk approval. */
  readonly left: readonly Objection[]
  /** Definitions selected by name that cannot be approved. */
  readonly refused: readonly Objection[]
}

/**
 * Separates the definitions that must not be approved. One without a fingerprint can never be approved, and one whose
 * name imitates another only if the reviewer names it.
 */
export function sortOut(chosen: readonly Chosen[], isApproval: boolean): Sorted {
  const sound: Chosen[] = []
  const left: Objection[] = []
  const refused: Objection[] = []
  for (const one of chosen) {
    const doubt = isApproval ? findDoubt(one) : undefined
    if (doubt === undefined) sound.push(one)
    else if (one.how === 'by filter') left.push(doubt)
    else refused.push(doubt)
  }
  return { sound, left, refused }
}

function findDoubt({ stored, current, shadowing, how }: Chosen): Objection | undefined {
  const id = JSON.stringify(idOf(stored))
  if (!hasFingerprint(current))
    return objection(
      `${id} cannot be approved: it has ${current.fingerprint.replace(NO_FINGERPRINT, '')}`,
      "ask the server's author to fix the definition",
    )
  if (shadowing === undefined || how !== 'by filter') return undefined
  return objection(`${id} was left out: ${shadowing}`, `review it, then run hintgate tools approve ${id}`)
}
