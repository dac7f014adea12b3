import {
  type Assessment,
  assessTool,
  type Override,
  type Profile,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { Config } from '../../config/config.ts'
import { parseJson, spellNumbers } from '../../protocol/parse-json.ts'
import type { DefinitionVersion, Store, StoredDefinition } from '../../store/store.ts'
import { KnownNames } from '../find-shadowing.ts'
import { isRule, judgeDefinition, type ReviewState, type TrustRules } from '../judge-definition.ts'
import { Overrides } from '../overrides.ts'
import { type Contradiction, findContradictions } from '../to-catalog-tool.ts'
import { findNotice, type Notice } from './find-notice.ts'

export interface ReviewItem {
  readonly stored: StoredDefinition
  readonly current: DefinitionVersion
  readonly definition: ToolDefinition
  readonly state: ReviewState
  /** The problem with the item's name. An item with a problem cannot be approved by a rule. */
  readonly shadowing?: string
  /** The notice about an approved item, if its last change was accepted without a review. */
  readonly notice?: Notice
}

interface ReviewRules {
  readonly isQuarantined: boolean
  readonly trustOf: (server: string) => TrustRules['trust']
}

/** Lists the current definitions of all servers. Definitions that a server no longer has need no review. */
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
    // These definitions are already stored, so they are never a server's first set.
    { trust: rules.trustOf(stored.server), isQuarantined: rules.isQuarantined, isFirstSet: false },
  )
  const shadowing = stored.kind === 'tool' ? names.findShadowing(stored) : undefined
  const notice = state === 'approved' ? findNotice(stored, current, readDefinitionOf) : undefined
  if (shadowing === undefined)
    return { stored, current, definition, state, ...(notice === undefined ? {} : { notice }) }
  const isHeld = state === 'approved' && !isApprovedByPerson(current)
  return { stored, current, definition, shadowing, state: isHeld ? 'pending' : state }
}

/** True if a person approved exactly this version. The approval overrules the objection to the name. */
function isApprovedByPerson({ review }: DefinitionVersion): boolean {
  return review?.verdict === 'approved' && !isRule(review.by)
}

/**
 * Reads a stored definition, which always has a name. Numbers that a double would round become text, so that a change
 * of any digit is visible.
 */
export function readDefinitionOf({ definition }: DefinitionVersion): ToolDefinition {
  const parsed = parseJson(definition, Number.POSITIVE_INFINITY)
  return (parsed.ok ? spellNumbers(parsed.value) : JSON.parse(definition)) as ToolDefinition
}

/**
 * True if a definition has its own fingerprint. Without one it cannot be approved, because it could be swapped
 * unnoticed.
 */
export function hasFingerprint({ fingerprint }: DefinitionVersion): boolean {
  return /^[0-9a-f]{64}$/.test(fingerprint)
}

export function idOf({ server, name }: { readonly server: string; readonly name: string }): string {
  return `${server}:${name}`
}

export interface Desk {
  readonly config: Config
  readonly known: readonly StoredDefinition[]
  readonly items: readonly ReviewItem[]
  /** The servers in the config. Stored data about other servers is ignored. */
  readonly servers: ReadonlySet<string>
  readonly overrides: Overrides
}

export async function loadDesk(
  store: Pick<Store, 'definitions' | 'overrides'>,
  config: Config,
): Promise<Desk> {
  const known: StoredDefinition[] = []
  for (const server of await store.definitions.servers())
    known.push(...(await store.definitions.load(server)))
  const overrides = new Overrides(store.overrides)
  await overrides.load()
  const trust = new Map(config.servers.map(server => [server.name, server.trust]))
  const rules = {
    isQuarantined: config.quarantine,
    trustOf: (server: string) => trust.get(server) ?? 'reviewed',
  }
  return { config, known, items: listItems(known, rules), servers: new Set(trust.keys()), overrides }
}

/** A tool's assessment as it will be once the tool is vouched for. */
export interface AssessedItem {
  readonly item: ReviewItem
  readonly assessment: Assessment
  /** The hints that the tool's own words contradict, unless an operator settled them. */
  readonly contradictions: readonly Contradiction[]
}

interface Surroundings {
  readonly profile: Profile
  readonly overrideOf: (server: string, tool: string) => Override | undefined
}

/** Judges tools together with their siblings, as the gateway does. Only tools have hints. */
export function assessItems(
  items: readonly ReviewItem[],
  { profile, overrideOf }: Surroundings,
): readonly AssessedItem[] {
  const tools = items.filter(({ stored }) => stored.kind === 'tool')
  const siblings = new Map<string, ToolDefinition[]>()
  for (const { stored, definition } of tools) {
    const known = siblings.get(stored.server)
    if (known === undefined) siblings.set(stored.server, [definition])
    else known.push(definition)
  }
  return tools.map(item => {
    const { server, name } = item.stored
    const override = overrideOf(server, name)
    const assessment = assessTool(item.definition, {
      vouched: true,
      profile,
      siblings: siblings.get(server) ?? [],
      ...(override === undefined ? {} : { override }),
    })
    return { item, assessment, contradictions: findContradictions(assessment, override) }
  })
}
