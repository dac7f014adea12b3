import { isSuspicious, type ScanContext } from '@hintgate/metadata'
import type { DefinitionKind, StoredDefinition } from '../../store/store.ts'
import { lastApproved, type ReviewState } from '../judge-definition.ts'
import { compareVersions } from './compare-versions.ts'
import { KnownBodies } from './find-copies.ts'
import { idOf, type ReviewItem, readDefinitionOf } from './review-item.ts'
import { scanDefinition, surroundingsOf } from './scan-definition.ts'
import { summariseChange } from './summarise-change.ts'

/** One line of what waits for a reviewer. */
export interface Waiting {
  readonly server: string
  readonly kind: DefinitionKind
  readonly name: string
  readonly state: Exclude<ReviewState, 'approved'>
  readonly fingerprint: string
  /** At a glance. */
  readonly changes: readonly string[]
  /** What the scanner found, and whether it is enough to be alarmed. */
  readonly findings: number
  readonly isSuspicious: boolean
  readonly firstSeenAt: number
  readonly shadowing?: string
}

/** Everything whose current version is not approved, of some servers. */
export function listWaiting(
  items: readonly ReviewItem[],
  known: readonly StoredDefinition[],
  servers: ReadonlySet<string>,
): readonly Waiting[] {
  const waiting = items.filter(({ stored, state }) => servers.has(stored.server) && state !== 'approved')
  if (waiting.length === 0) return []
  const bodies = new KnownBodies(known)
  const surroundings = new Map([...servers].map(server => [server, surroundingsOf(server, known)]))
  return waiting.flatMap(item => {
    const context = surroundings.get(item.stored.server)
    return context === undefined ? [] : toWaiting(item, bodies, context)
  })
}

function toWaiting(item: ReviewItem, bodies: KnownBodies, context: ScanContext): readonly Waiting[] {
  const { stored, current, definition, state, shadowing } = item
  if (state === 'approved') return []
  const { server, kind, name } = stored
  const findings = scanDefinition(definition, context)
  return [
    {
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
    },
  ]
}

/** What changed since somebody approved it, at a glance; of what is new, what it is like. */
export function changesOf({ stored, definition }: ReviewItem, bodies: KnownBodies): readonly string[] {
  const approved = lastApproved(stored)
  if (approved !== undefined) return summariseChange(compareVersions(readDefinitionOf(approved), definition))
  const [copy] = bodies.findCopies(stored, definition)
  if (copy === undefined) return ['new']
  const where = copy.stored.server === stored.server ? copy.stored.name : idOf(copy.stored)
  return [`${copy.how} ${where}`]
}
