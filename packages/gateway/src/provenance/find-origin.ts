import { namesValue, type SoughtValue, seekValue } from './match-value.ts'
import type { Passage } from './passage.ts'
import type { Asks } from './read-request.ts'
import { splitIdentifier } from './split-identifier.ts'
import type { TokenHasher } from './token-hashes.ts'

/** Why a passage may be what wants a call. */
export interface Origin {
  /** It names a value of the call, asks for just this call, or for some call of this kind. */
  readonly kind: 'value' | 'occasion' | 'kind'
  /** The way to the argument: `recipients.0`. Empty where there is none. */
  readonly argument: string
  readonly passage: Passage
}

export interface SoughtCall {
  readonly args: unknown
  /** What the call may lead to, as bits. */
  readonly kinds: Asks
  /** The words of the tool's name that are no verbs. */
  readonly nouns: readonly string[]
}

const MOST_LEAVES = 200

interface Leaf {
  readonly path: string
  readonly value: string
}

/** The newest passage that asks for a call like this one and names one of its arguments. */
export function findOrigin(
  call: SoughtCall,
  passages: readonly Passage[],
  hasher: TokenHasher,
): Origin | undefined {
  if (passages.length === 0) return undefined
  const sought = leavesOf(call.args).flatMap(({ path, value }) => {
    const found = seekValue(value, hasher)
    return found === undefined ? [] : [{ path, found }]
  })
  for (let at = passages.length - 1; at >= 0; at -= 1) {
    const passage = passages[at]
    if (passage === undefined) continue
    for (const { path, found } of sought)
      if (asksFor(passage, found, call.kinds) && namesValue(passage, found, hasher))
        return { kind: 'value', argument: path, passage }
  }
  const occasion = sought.some(({ found }) => found.isIdentifier)
    ? undefined
    : findOccasion(call, passages, hasher)
  if (occasion !== undefined) return occasion
  const passage = passages.findLast(({ asks }) => (asks & call.kinds) !== 0)
  return passage && { kind: 'kind', argument: '', passage }
}

/** Whether a value of these arguments is named by a passage that asks for anything at all: what it asked for then goes on. */
export function findLead(
  args: unknown,
  passages: readonly Passage[],
  hasher: TokenHasher,
): Passage | undefined {
  if (passages.length === 0) return undefined
  for (const { value } of leavesOf(args)) {
    const sought = seekValue(value, hasher)
    if (sought === undefined) continue
    const found = passages.findLast(passage => passage.near !== 0 && namesValue(passage, sought, hasher))
    if (found !== undefined) return found
  }
  return undefined
}

function asksFor({ asks, near }: Passage, { isIdentifier, kind }: SoughtValue, kinds: Asks): boolean {
  return ((isIdentifier || kind === 'code' ? near : asks) & kinds) !== 0
}

/** A call that says nothing of whom it means, where a passage asks for just that: `Clear the cart.` */
function findOccasion(
  { kinds, nouns }: SoughtCall,
  passages: readonly Passage[],
  hasher: TokenHasher,
): Origin | undefined {
  if (nouns.length === 0) return undefined
  const sought = nouns.map(noun => [noun, `${noun}s`].map(form => hasher.compact(form)))
  const passage = passages.findLast(({ asks, tokens }) => {
    if ((asks & kinds) === 0) return false
    const named = sought.filter(forms =>
      forms.some(form =>
        tokens.first.some((first, at) => first === form.first && tokens.second[at] === form.second),
      ),
    )
    return named.length >= Math.min(2, nouns.length)
  })
  return passage && { kind: 'occasion', argument: '', passage }
}

function leavesOf(args: unknown): Leaf[] {
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
