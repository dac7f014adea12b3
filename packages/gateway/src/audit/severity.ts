import { CALL_VARIANTS, kindOfVariant, type Severity, severityOf } from '@hintgate/metadata'
import { attempt } from '../base/attempt.ts'
import type { AuditRow } from '../store/audit-store.ts'

/** The severity of a call, by its kind as it is stored. Requests other than tool calls are not listed. */
const BY_VARIANT: ReadonlyMap<string, Severity> = new Map(
  CALL_VARIANTS.map(variant => [kindOfVariant(variant), severityOf(variant)]),
)

/**
 * Kinds of findings about text that tries to steer the agent. Only results of open-world tools are searched for them.
 */
const STEERING: ReadonlySet<unknown> = new Set(['instructions', 'hidden'])

/**
 * Returns a recorded call's severity: that of its variant, or a warning if its result tries to steer the agent. A tool
 * that waits for review counts as destructive, because its effect is not known.
 */
export function severityOfCall(
  { variant, code }: Pick<AuditRow, 'variant' | 'code'>,
  findings: unknown,
): Severity {
  const isSteered = Array.isArray(findings) && findings.some(one => STEERING.has(one?.kind))
  return isSteered || code === 'quarantined' ? 'warning' : (BY_VARIANT.get(variant) ?? 'info')
}

/** Returns a function that tells whether the row that ends a call has this severity. */
export function hasSeverity(wanted: Severity): (row: AuditRow) => boolean {
  return ({ variant, code, body }) => {
    // Only rows with findings are parsed, and there are few of them.
    const findings = body.includes('"findings":') ? attempt(() => JSON.parse(body).findings) : undefined
    return severityOfCall({ variant, code }, findings) === wanted
  }
}
