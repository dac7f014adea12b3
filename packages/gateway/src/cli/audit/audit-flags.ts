import { AUDIT_OUTCOMES } from '../../audit/entry.ts'
import { momentOf } from '../../audit/moment-of.ts'
import { HintgateError } from '../../base/errors.ts'
import type { AuditFilter } from '../../store/audit-store.ts'
import type { PlaceFlags } from '../terminal/context.ts'

interface FilterFlags extends PlaceFlags {
  readonly agent?: string
  readonly server?: string
  readonly tool?: string
  readonly variant?: string
  readonly verdict?: string
  readonly outcome?: string
  readonly since?: string
  readonly until?: string
}

export interface QueryFlags extends FilterFlags {
  readonly json?: boolean
  readonly limit?: number
  readonly cursor?: string
  readonly request?: string
}

export interface TailFlags extends FilterFlags {
  readonly json?: boolean
  readonly limit?: number
  readonly follow?: boolean
}

export interface ExportFlags extends FilterFlags {
  readonly format: 'jsonl' | 'ocsf'
}

export function readFilter(flags: FilterFlags, now: number): AuditFilter {
  const { agent, variant, verdict, outcome, since, until } = flags
  const { server, tool } = readTool(flags)
  return {
    // Most callers are agents; whoever means somebody else says so.
    ...(agent === undefined ? {} : { agent: agent.includes(':') ? agent : `agent:${agent}` }),
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool }),
    ...(variant === undefined ? {} : { variant }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(outcome === undefined ? {} : isOutcome(outcome) ? { outcome } : { code: outcome }),
    ...(since === undefined ? {} : { since: readMoment('--since', since, now) }),
    ...(until === undefined ? {} : { until: readMoment('--until', until, now) }),
  }
}

function isOutcome(text: string): boolean {
  return AUDIT_OUTCOMES.some(outcome => outcome === text)
}

function readTool({ server, tool }: FilterFlags): Pick<FilterFlags, 'server' | 'tool'> {
  const [before, after] = tool?.split(/:(.*)/s) ?? []
  return {
    ...(server === undefined && after === undefined ? {} : { server: server ?? before ?? '' }),
    ...(tool === undefined ? {} : { tool: after ?? tool }),
  }
}

/** `2h` ago, the beginning of a day in UTC, or a moment. */
export function readMoment(flag: string, text: string, now: number): number {
  const at = momentOf(text, now)
  if (at !== undefined) return at
  throw new HintgateError('flag_invalid', {
    flag,
    why: 'expected a duration such as 2h or 30d, a date such as 2027-01-31, or a moment such as 2027-01-31T12:00:00Z',
  })
}
