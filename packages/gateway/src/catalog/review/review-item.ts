import type { ToolDefinition } from '@hintgate/metadata'
import { parseJson, spellNumbers } from '../../protocol/parse-json.ts'
import type { DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import { KnownNames } from '../find-shadowing.ts'
import { BY_RULE, judgeDefinition, type ReviewState, type TrustRules } from '../judge-definition.ts'

/** A definition that a server has, and where it stands. */
export interface ReviewItem {
  readonly stored: StoredDefinition
  readonly current: DefinitionVersion
  readonly definition: ToolDefinition
  readonly state: ReviewState
  /** What is wrong with its name, and why no rule may approve it. */
  readonly shadowing?: string
}

export interface ReviewRules {
  readonly isQuarantined: boolean
  readonly trustOf: (server: string) => TrustRules['trust']
}

/** Everything that servers have now. What they no longer have waits for nobody. */
export function listItems(known: readonly StoredDefinition[], rules: ReviewRules): readonly ReviewItem[] {
  const present = known.filter(({ current }) => current !== undefined)
  const tools = present.filter(({ kind }) => kind === 'tool')
  const servers = new Set(known.map(({ server }) => server))
  const names = new KnownNames([...servers], tools)
  return present.flatMap(stored => {
    const current = stored.versions.find(({ fingerprint }) => fingerprint === stored.current)
    return current === undefined ? [] : [toItem(stored, current, { rules, names })]
  })
}

function toItem(
  stored: StoredDefinition,
  current: DefinitionVersion,
  { rules, names }: { readonly rules: ReviewRules; readonly names: KnownNames },
): ReviewItem {
  const definition = readDefinitionOf(current)
  const { state } = judgeDefinition(
    { fingerprint: current.fingerprint, definition, stored },
    // What is in the store is no longer the first set.
    { trust: rules.trustOf(stored.server), isQuarantined: rules.isQuarantined, isFirstSet: false },
  )
  const shadowing = stored.kind === 'tool' ? names.findShadowing(stored) : undefined
  if (shadowing === undefined) return { stored, current, definition, state }
  const isHeld = state === 'approved' && !isApprovedByPerson(current)
  return { stored, current, definition, shadowing, state: isHeld ? 'pending' : state }
}

/** A person who looked at exactly this may know better than a rule. */
function isApprovedByPerson({ review }: DefinitionVersion): boolean {
  return review?.verdict === 'approved' && !isRule(review.by)
}

export function isRule(by: string): boolean {
  return by.startsWith(BY_RULE)
}

/** Only what has a name is ever stored. Numbers that a double would round are texts of their digits: a change of one is to be seen. */
export function readDefinitionOf({ definition }: DefinitionVersion): ToolDefinition {
  const parsed = parseJson(definition, Number.POSITIVE_INFINITY)
  return (parsed.ok ? spellNumbers(parsed.value) : JSON.parse(definition)) as ToolDefinition
}

/** What has no fingerprint of its own could be swapped unseen, so nobody can approve it. */
export function hasFingerprint({ fingerprint }: DefinitionVersion): boolean {
  return /^[0-9a-f]{64}$/.test(fingerprint)
}

export function idOf({ server, name }: { readonly server: string; readonly name: string }): string {
  return `${server}:${name}`
}
