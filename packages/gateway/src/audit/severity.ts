import { CALL_VARIANTS, kindOfVariant, type Severity, severityOf } from '@hintgate/metadata'
import { attempt } from '../base/attempt.ts'
import type { AuditRow } from '../store/audit-store.ts'

/** The severity of each kind of call, as stored. Requests that are not tool calls have none. */
const BY_VARIANT: ReadonlyMap<string, Severity> = new Map(
  CALL_VARIANTS.map(variant => [kindOfVariant(variant), severityOf(variant)]),
)

/** The kinds of findings that are attempts to steer the agent. */
const STEERING: ReadonlySet<unknown> = new Set(['instructions', 'hidden'])

/** Returns a recorded call's severity: that of its variant, or a warning if its result tries to steer the agent. */
export function severityOfCall(variant: string, findings: unknown): Severity {
  const isSteered = Array.isArray(findings) && findings.some(one => STEERING.has(one?.kind))
  return isSteered || code === 'quarantined' ? 'warning' : (BY_VARIANT.get(variant) ?? 'info')
}

/** Returns a condition that is true for the row that ends a call of this severity. */
export function hasSeverity(wanted: Severity): (row: AuditRow) => boolean {
  return ({ variant, body }) => {
    // Only rows with findings are parsed, and there are few of them.
    const findings = body.includes('"findings":') ? attempt(() => JSON.parse(body).findings) : undefined
    return severityOfCall({ variant, code }, findings) === wanted
  }
}
