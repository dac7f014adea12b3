import { isSuspicious, type ScanContext } from '@hintgate/metadata'
import type { DefinitionKind, StoredDefinition } from '../../store/store.ts'
import { lastApproved, type ReviewState } from '../judge-definition.ts'
import { compareVersions, summariseChange } from './compare-versions.ts'
import { KnownBodies } from './find-resemblance.ts'
import { scanDefinition, surroundingsOf } from './gather-evidence.ts'
import { type Desk, idOf, type ReviewItem, readDefinitionOf } from './review-item.ts'

export interface Waiting {
  readonly server: string
  readonly kind: DefinitionKind
  readonly name: string
  /** The review state; `approved` for a notice. */
  readonly state: ReviewState
  readonly fingerprint: string
  readonly changes: readonly string[]
  /** The number of the scanner's findings. */
  readonly findings: number
  readonly isSuspicious: boolean
  readonly firstSeenAt: number
  readonly shadowing?: string
  /** A change such as `read → destructive`, which was accepted without a review but which people should know about. */
  readonly notice?: string
}

/**
 * Lists the definitions of the given servers whose current version is not approved, and the notices about approved
 * ones.
 */
export function listWaiting(
  items: readonly ReviewItem[],
  known: readonly StoredDefinition[],
  servers: ReadonlySet<string>,
): readonly Waiting[] {
  const waiting = items.filter(
    ({ stored, state, notice }) =>
      servers.has(stored.server) && (state !== 'approved' || notice !== undefined),
  )
  if (waiting.length === 0) return []
  const bodies = new KnownBodies(known)
  const surroundings = new Map([...servers].map(server => [server, surroundingsOf(server, known)]))
  return waiting.flatMap(item => {
    const context = surroundings.get(item.stored.server)
    return context === undefined ? [] : [toWaiting(item, bodies, context)]
  })
}

function toWaiting(item: ReviewItem, bodies: KnownBodies, context: ScanContext): Waiting {
  const { stored, current, definition, state, shadowing, notice } = item
  const { server, kind, name } = stored
  const findings = scanDefinition(definition, context)
  return {
    server,
    kind,
    name,
    state,
    fingerprint: current.fingerprint,
    changes: changesOf(item, bodies),
    findings: findings.length,
    isSuspicious: isSuspicious(findings),
    firstSeenAt: current.firstSeenAt,
    ...(shadowing === undefined ? {} : { shadowing }),
    ...(notice === undefined ? {} : { notice: notice.text }),
  }
}

/** Summarises the changes since the last approval or, for a new definition, its resemblance to others. */
export function changesOf(
  { stored, definition, notice }: ReviewItem,
  bodies: KnownBodies,
): readonly string[] {
  const approved = notice?.before ?? lastApproved(stored)
  if (approved !== undefined) return summariseChange(compareVersions(readDefinitionOf(approved), definition))
  const [copy] = bodies.findCopies(stored, definition)
  if (copy === undefined) return ['new']
  const where = copy.stored.server === stored.server ? copy.stored.name : idOf(copy.stored)
  return [`${copy.how} ${where}`]
}

/**
 * Finds servers that agents cannot see although no tool waits for review: they have no tools, and none of their other
 * definitions is approved. Servers that were never asked for their tools are not included. `listing` contains servers
 * that have just been asked and listed no tools.
 */
export function findToolless(
  { config, known, items }: Pick<Desk, 'config' | 'known' | 'items'>,
  listing: readonly string[] = [],
): readonly string[] {
  if (!config.quarantine) return []
  const heard = new Set([...known.map(({ server }) => server), ...listing])
  const spoken = items.filter(({ stored, state }) => stored.kind === 'tool' || state === 'approved')
  const settled = new Set(spoken.map(({ stored }) => stored.server))
  return config.servers
    .filter(({ enabled, trust }) => enabled && trust !== 'trusted')
    .map(({ name }) => name)
    .filter(name => heard.has(name) && !settled.has(name))
}

export function explainToolless(server: string): string {
  return `${server} lists no tools and none of its other definitions is approved, so agents cannot see this server`
}

export function letSpeak(server: string): string {
  return `approve one of its prompts or templates, or its instructions (hintgate tools review --server ${server}), or set "trust": "trusted" in mcpServers.${server}`
}
