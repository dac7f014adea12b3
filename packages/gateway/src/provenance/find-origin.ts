import { givesValue, namesValue, type SoughtValue, seekValue } from './match-value.ts'
import type { Passage } from './passage.ts'
import type { Asks } from './read-request.ts'
import { splitIdentifier } from './split-identifier.ts'
import type { Task } from './task.ts'
import type { TokenHasher } from './token-hashes.ts'

/** A passage that might be the reason for a call. */
export interface Origin {
  /**
   * `target`: the passage contains a value of the call. `occasion`: it asks for this call without giving a value.
   * `kind`: it asks for some call of this kind.
   */
  readonly kind: 'target' | 'occasion' | 'kind'
  /** The path of the argument whose value the passage contains, such as `recipients.0`. Empty if it contains none. */
  readonly argument: string
  /** All values of the call that passages contain. */
  readonly values: readonly string[]
  readonly passage: Passage
}

export interface SoughtCall {
  readonly args: unknown
  /** The possible consequences of the call, as a bit mask. */
  readonly kinds: Asks
  /** The words in the tool's name that are not verbs. */
  readonly nouns: readonly string[]
}

const MOST_LEAVES = 200

interface Leaf {
  readonly path: string
  readonly value: string
}

/** The passages that a caller has read so far, and the task that its user gave. */
export interface ReadSoFar {
  readonly passages: readonly Passage[]
  readonly hasher: TokenHasher
  /** The user's task; empty or absent if the client did not state it. */
  readonly task?: Task | undefined
  /** Returns the passages that could contain a word with one of these hashes, oldest first. Absent: all could. */
  readonly search?: ((hashes: readonly number[]) => readonly Passage[]) | undefined
}

const NO_TASK: Task = []

/**
 * Finds the passage that might be the reason for this call: the newest one that asks for such a call and contains one
 * of its arguments, or else one that only asks for such a call. Values and requests that also occur in the user's task
 * do not count.
 */
export function findOrigin(call: SoughtCall, read: ReadSoFar): Origin | undefined {
  const { passages, hasher, task = NO_TASK } = read
  if (passages.length === 0) return undefined
  const values = valuesOf(call.args, hasher)
  const sought = values.filter(({ found }) => !givesValue(task, found, hasher))
  const candidates = candidatesFor(sought, read)
  for (let at = candidates.length - 1; at >= 0; at -= 1) {
    const passage = candidates[at]
    if (passage === undefined) continue
    for (const { path, found } of sought)
      if (asksFor(passage, found, call.kinds) && namesValue(passage, found, hasher)) {
        const values = valuesNamed(sought, call.kinds, { ...read, passages: candidates })
        return { kind: 'target', argument: path, values, passage }
      }
  }
  const isNamed = values.some(({ found }) => found.isIdentifier)
  const occasion =
    isNamed || findOccasion(call, { passages: task, hasher }) ? undefined : findOccasion(call, read)
  if (occasion !== undefined) return { kind: 'occasion', argument: '', values: [], passage: occasion }
  if (task.some(({ asks }) => (asks & call.kinds) !== 0)) return undefined
  const passage = passages.findLast(({ asks }) => (asks & call.kinds) !== 0)
  return passage && { kind: 'kind', argument: '', values: [], passage }
}

/**
 * Finds the newest passage with a request, whatever it asks for, that contains one of these arguments or the tool's
 * name. The result of the call then counts as part of that request.
 */
export function findLead(
  { args, tool }: { readonly args: unknown; readonly tool: string },
  read: ReadSoFar,
): Passage | undefined {
  const { passages, hasher, task = NO_TASK } = read
  if (passages.length === 0) return undefined
  // A tool name of only one word is ignored, because ordinary text can contain that word.
  const name = /[a-z\d][_. -][a-z\d]/i.test(tool) ? seekValue(tool, hasher) : undefined
  const sought = [...valuesOf(args, hasher).map(({ found }) => found), ...(name === undefined ? [] : [name])]
  for (const found of sought) {
    if (givesValue(task, found, hasher)) continue
    const lead = candidatesFor([{ found }], read).findLast(
      passage => passage.near !== 0 && namesValue(passage, found, hasher),
    )
    if (lead !== undefined) return lead
  }
  return undefined
}

/** Returns the passages that could contain one of the values: those with a word with which a value begins. */
function candidatesFor(
  sought: readonly { readonly found: SoughtValue }[],
  { passages, search }: ReadSoFar,
): readonly Passage[] {
  return search === undefined ? passages : search(sought.flatMap(({ found }) => found.beginnings.slice(1)))
}

/**
 * Returns all values of the call that occur in passages asking for such a call. An approval that is remembered by
 * target covers only these values.
 */
function valuesNamed(sought: readonly Sought[], kinds: Asks, { passages, hasher }: ReadSoFar): string[] {
  const named = sought.filter(({ found }) =>
    passages.some(passage => asksFor(passage, found, kinds) && namesValue(passage, found, hasher)),
  )
  return named.map(({ value }) => value)
}

interface Sought {
  readonly path: string
  readonly value: string
  readonly found: SoughtValue
}

function valuesOf(args: unknown, hasher: TokenHasher): Sought[] {
  return leavesOf(args).flatMap(({ path, value }) => {
    const found = seekValue(value, hasher)
    return found === undefined ? [] : [{ path, value, found }]
  })
}

function asksFor({ asks, near }: Passage, { isIdentifier, kind }: SoughtValue, kinds: Asks): boolean {
  return ((isIdentifier || kind === 'code' ? near : asks) & kinds) !== 0
}

/** Finds a passage that asks for the call without naming a value, such as `Clear the cart.` */
function findOccasion(
  { kinds, nouns }: SoughtCall,
  { passages, hasher, search }: ReadSoFar,
): Passage | undefined {
  if (nouns.length === 0 || passages.length === 0) return undefined
  const sought = nouns.map(noun => [noun, `${noun}s`].map(form => hasher.compact(form)))
  const candidates = search?.(sought.flat().map(({ first }) => first)) ?? passages
  return candidates.findLast(({ asks, tokens }) => {
    if ((asks & kinds) === 0) return false
    const named = sought.filter(forms =>
      forms.some(form =>
        tokens.first.some((first, at) => first === form.first && tokens.second[at] === form.second),
      ),
    )
    return named.length >= Math.min(2, nouns.length)
  })
}

export function leavesOf(args: unknown): Leaf[] {
  const leaves: Leaf[] = []
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: args }]
  for (let next = open.pop(); next !== undefined && leaves.length < MOST_LEAVES; next = open.pop()) {
    const { path, value } = next
    if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value))
        open.push({ path: path === '' ? key : `${path}.${key}`, value: each })
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      for (const each of splitIdentifier(String(value))) leaves.push({ path, value: each })
  }
  return leaves
}
