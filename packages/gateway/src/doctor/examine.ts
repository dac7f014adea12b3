import type { Override } from '@hintgate/metadata'
import { assessItems, type ReviewItem } from '../catalog/review/review-item.ts'
import type { Config } from '../config/config.ts'
import type { StoredDefinition } from '../store/store.ts'
import type { TokenDescription } from '../tokens/describe-token.ts'
import { checkConfig } from './check-config.ts'
import { checkPrograms } from './check-programs.ts'
import { checkContradictions, checkReview, describeServers, type ServerSummary } from './check-review.ts'
import { checkTokens } from './check-tokens.ts'
import type { DoctorFinding } from './finding.ts'

/** Everything that the checks look at. */
export interface Facts {
  readonly config: Config
  readonly known: readonly StoredDefinition[]
  readonly items: readonly ReviewItem[]
  readonly overrideOf: (server: string, tool: string) => Override | undefined
  readonly tokens: readonly TokenDescription[]
  /** Where programs are looked for. */
  readonly path: string
  readonly now: number
}

export interface Examination {
  readonly findings: readonly DoctorFinding[]
  readonly servers: readonly ServerSummary[]
}

/** Runs every check that needs no server to be started. */
export function examine({ config, known, items, overrideOf, tokens, path, now }: Facts): Examination {
  const servers = new Set(config.servers.filter(({ enabled }) => enabled).map(({ name }) => name))
  const present = items.filter(({ stored }) => servers.has(stored.server))
  const assessed = assessItems(present, { profile: config.profile, overrideOf })
  return {
    findings: [
      ...checkConfig(config, known),
      ...checkPrograms(config.servers, path),
      ...checkReview(present, servers),
      ...checkContradictions(assessed),
      ...checkTokens(tokens, now),
    ],
    servers: describeServers(assessed, servers),
  }
}
