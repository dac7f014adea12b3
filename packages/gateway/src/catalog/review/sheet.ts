import type { ToolDefinition } from '@hintgate/metadata'
import type { DefinitionKind, DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import { lastApproved, type ReviewState } from '../judge-definition.ts'
import { compareVersions, type VersionDiff } from './compare-versions.ts'
import { findDefinition, findVersion, isObjection, type Objection, type Target } from './find-definition.ts'
import { findResemblances, KnownBodies, type Resemblance } from './find-resemblance.ts'
import { gatherEvidence, type ReviewEvidence, surroundingsOf } from './gather-evidence.ts'
import { type Desk, readDefinitionOf } from './review-item.ts'

export interface Sheet {
  readonly stored: StoredDefinition
  readonly to: DefinitionVersion
  readonly definition: ToolDefinition
  readonly state: ReviewState | 'gone' | 'past'
  /** The changes since the last approved version. Undefined if no version was approved. */
  readonly since?: { readonly from: DefinitionVersion; readonly diff: VersionDiff }
  readonly shadowing?: string
  readonly evidence: ReviewEvidence
  readonly resembles: readonly Resemblance[]
}

export interface Question {
  readonly kind?: DefinitionKind
  readonly from?: string
  readonly to?: string
}

/** Compares the last approved version with the current one, unless the reviewer chooses other versions. */
export function layOut(desk: Desk, target: Target, question: Question): Sheet | Objection {
  const stored = findDefinition(desk.known, target, question.kind)
  if (isObjection(stored)) return stored
  const to = findVersion(stored, question.to ?? target.fingerprint)
  if (isObjection(to)) return to
  const from = question.from === undefined ? approvedBesides(stored, to) : findVersion(stored, question.from)
  if (from !== undefined && isObjection(from)) return from
  return describe(desk, stored, { from, to })
}

/** Finds the version that was approved last, other than the given one. */
export function approvedBesides(
  stored: StoredDefinition,
  to: DefinitionVersion,
): DefinitionVersion | undefined {
  return lastApproved({ ...stored, versions: stored.versions.filter(version => version !== to) })
}

interface Versions {
  readonly from: DefinitionVersion | undefined
  readonly to: DefinitionVersion
}

function describe(desk: Desk, stored: StoredDefinition, { from, to }: Versions): Sheet {
  const definition = readDefinitionOf(to)
  const item = desk.items.find(one => one.stored === stored)
  const isCurrent = item?.current === to
  const seen = { stored, current: to, definition, state: item?.state ?? 'pending' }
  return {
    stored,
    to,
    definition,
    state: isCurrent ? item.state : item === undefined ? 'gone' : 'past',
    ...(from === undefined
      ? {}
      : { since: { from, diff: compareVersions(readDefinitionOf(from), definition) } }),
    ...(isCurrent && item.shadowing !== undefined ? { shadowing: item.shadowing } : {}),
    evidence: weigh(desk, stored, definition),
    resembles: findResemblances(seen, desk.items, new KnownBodies(desk.known)),
  }
}

/**
 * Gathers the evidence for a review, judged as the gateway would judge the tool, with all stored definitions for
 * comparison.
 */
function weigh(desk: Desk, stored: StoredDefinition, definition: ToolDefinition): ReviewEvidence {
  const { items, known, overrides, config } = desk
  const { server, kind, name } = stored
  const override = overrides.find(server, name, config.overrides)
  const siblings = items
    .filter(({ stored: other }) => other.server === server && other.kind === 'tool')
    .map(item => item.definition)
  return gatherEvidence(definition, {
    kind,
    assess: { profile: config.profile, siblings, ...(override === undefined ? {} : { override }) },
    scan: surroundingsOf(server, known),
  })
}
