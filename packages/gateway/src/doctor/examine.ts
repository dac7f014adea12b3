import { type Coverage, measureCoverage } from '../catalog/coverage.ts'
import { isRule } from '../catalog/judge-definition.ts'
import {
  type AssessedItem,
  assessItems,
  type Desk,
  idOf,
  type ReviewItem,
} from '../catalog/review/review-item.ts'
import { readSets } from '../sets/read-sets.ts'
import type { Era, StoredToken } from '../store/store.ts'
import { describeTokens } from '../tokens/describe-token.ts'
import { checkConfig, checkDocuments, checkPrograms, checkTokens } from './check-config.ts'
import type { DoctorFinding } from './finding.ts'

/** The known definitions and the config. `overrides` is absent if the store is not open. */
type Known = Pick<Desk, 'config' | 'known' | 'items'> & Partial<Pick<Desk, 'overrides'>>

export interface Examination {
  readonly findings: readonly DoctorFinding[]
  readonly servers: readonly ServerSummary[]
}

/** Runs all checks that do not need to start a server. */
export function examine(context: Known, stored: readonly StoredToken[], now: number): Examination {
  const { config, known, items, overrides } = context
  const overrideOf = (server: string, tool: string) => overrides?.find(server, tool, config.overrides)
  const servers = new Set(config.servers.filter(({ enabled }) => enabled).map(({ name }) => name))
  const present = items.filter(({ stored }) => servers.has(stored.server))
  const assessed = assessItems(present, { profile: config.profile, overrideOf })
  return {
    findings: [
      ...checkConfig(config, known),
      ...checkPrograms(config.servers, process.env.PATH ?? ''),
      ...checkDocuments(config.servers),
      ...checkReview(present, servers),
      ...checkContradictions(assessed),
      ...checkToolsets(context),
      ...checkTokens(describeTokens({ stored, configured: config.agentTokens, uses: new Map(), now }), now),
    ],
    servers: describeServers(assessed, servers),
  }
}

export function checkReview(
  items: readonly ReviewItem[],
  servers: ReadonlySet<string>,
): readonly DoctorFinding[] {
  return [...servers].flatMap((server): readonly DoctorFinding[] => {
    const own = items.filter(({ stored }) => stored.server === server)
    const [fresh, changed] = [countOf(own, 'pending'), countOf(own, 'changed')]
    if (fresh + changed === 0) return []
    const parts = [...(fresh > 0 ? [`${fresh} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])]
    const text = `${server}: review is pending for ${fresh + changed} of this server's definitions (${parts.join(', ')}), so agents cannot use them yet`
    const fix = `review them with hintgate tools review --server ${server}`
    return [{ code: 'review_waiting', level: 'warning', server, text, fix }]
  })
}

function countOf(items: readonly ReviewItem[], state: ReviewItem['state']): number {
  return items.filter(item => item.state === state).length
}

/**
 * Reports declared hints that a tool's own name or description contradicts. Once a person has approved that version,
 * the finding is only informational.
 */
export function checkContradictions(assessed: readonly AssessedItem[]): readonly DoctorFinding[] {
  return assessed.flatMap(({ item, contradictions }) =>
    contradictions.map(({ hint, text }): DoctorFinding => {
      const id = idOf(item.stored)
      return {
        code: 'contradiction',
        level: isAccepted(item) ? 'info' : 'warning',
        server: item.stored.server,
        text: `${id}: ${text}`,
        fix: `check it with hintgate tools diff ${JSON.stringify(id)}; if the tool's description is right, run hintgate tools override ${JSON.stringify(id)} --set ${hint}=${hint === 'readOnlyHint' ? 'false' : 'true'}`,
      }
    }),
  )
}

/** Reports tools that a toolset holds back, and overrides of sets that need a look. */
function checkToolsets({ overrides, ...context }: Known): readonly DoctorFinding[] {
  if (overrides === undefined || context.config.toolsets.length === 0) return []
  const desk = { ...context, overrides, servers: new Set<string>() }
  return readSets(desk).flatMap(set =>
    set.problems.map(({ tools, state, why }): DoctorFinding => {
      const named = tools.join(', ')
      const isHeld = state === 'held'
      return {
        code: isHeld ? 'toolset_held' : 'toolset_flagged',
        level: isHeld ? 'warning' : 'info',
        text: `toolset ${set.name}: ${named} ${isHeld ? 'is not offered' : 'needs a look'}: ${why}`,
        fix: `run hintgate sets show ${set.name}, then correct toolsets.${set.name} in the config`,
      }
    }),
  )
}

function isAccepted({ state, current }: AssessedItem['item']): boolean {
  return state === 'approved' && current.review !== undefined && !isRule(current.review.by)
}

export interface ServerSummary extends Coverage {
  readonly server: string
  readonly tools: number
  readonly approved: number
  readonly contradictions: number
  /** The protocol era of the server, modern or legacy; known only if doctor has just connected to the server. */
  readonly era?: Era
  readonly version?: string
}

function describeServers(
  assessed: readonly AssessedItem[],
  servers: ReadonlySet<string>,
): readonly ServerSummary[] {
  return [...servers].map(server => {
    const own = assessed.filter(({ item }) => item.stored.server === server)
    return {
      server,
      tools: own.length,
      approved: own.filter(({ item }) => item.state === 'approved').length,
      ...measureCoverage(own.map(({ assessment }) => assessment)),
      contradictions: own.reduce((sum, one) => sum + one.contradictions.length, 0),
    }
  })
}
