import type { EffectiveHints } from '../record/tool-record.ts'
import { CATEGORIES, type Category, type RiskLevel } from './category.ts'

/** The three ways to call a tool, from harmless to dangerous. Each token is granted some of them. */
export const CALL_VARIANTS = ['call_tool_read', 'call_tool_write', 'call_tool_destructive'] as const

export type CallVariant = (typeof CALL_VARIANTS)[number]

/**
 * The rule for tools with undeclared hints: `spec` counts them as destructive, `gateway` as writes. No profile counts
 * them as reads.
 */
export type Profile = 'gateway' | 'spec'

/**
 * Returns the variant with which a tool must be called. A default never makes a tool destructive, except in the `spec`
 * profile, which applies the specification's defaults literally.
 *
 * @example
 * import { deriveVariant, resolveEffective } from '@hintgate/metadata'
 * const unannotated = resolveEffective({ declared: { hints: {} }, vouched: true })
 * deriveVariant(unannotated) // => 'call_tool_write'
 * deriveVariant(unannotated, 'spec') // => 'call_tool_destructive'
 */
export function deriveVariant(effective: EffectiveHints, profile: Profile = 'gateway'): CallVariant {
  const { destructive, readOnly } = effective
  if (destructive.value && (destructive.source !== 'default' || profile === 'spec'))
    return 'call_tool_destructive'
  return readOnly.value ? 'call_tool_read' : 'call_tool_write'
}

const CATEGORY_OF_VARIANT: Readonly<Record<CallVariant, Category>> = {
  call_tool_read: 'read',
  call_tool_write: 'write',
  call_tool_destructive: 'delete',
}

export function categoryOfVariant(variant: CallVariant): Category {
  return CATEGORY_OF_VARIANT[variant]
}

/**
 * Returns the risk level of a variant, from 1 (reads) to 3 (may destroy).
 *
 * @example
 * import { riskLevelOf } from '@hintgate/metadata'
 * riskLevelOf('call_tool_write') // => 2
 */
export function riskLevelOf(variant: CallVariant): RiskLevel {
  return CATEGORIES[CATEGORY_OF_VARIANT[variant]].riskLevel
}

/** The attention that a call's audit record deserves, whatever the outcome. */
export type Severity = 'info' | 'notice' | 'warning'

const SEVERITIES: Readonly<Record<Category, Severity>> = { read: 'info', write: 'notice', delete: 'warning' }

/**
 * Returns the severity of a call in the audit log.
 *
 * @example
 * import { severityOf } from '@hintgate/metadata'
 * severityOf('call_tool_destructive') // => 'warning'
 */
export function severityOf(variant: CallVariant): Severity {
  return SEVERITIES[CATEGORY_OF_VARIANT[variant]]
}

/**
 * Returns the stricter of two variants. A caller that calls a tool with a variant other than the tool's own needs
 * permission for the stricter of the two.
 *
 * @example
 * import { stricterVariant } from '@hintgate/metadata'
 * stricterVariant('call_tool_read', 'call_tool_destructive') // => 'call_tool_destructive'
 */
export function stricterVariant(a: CallVariant, b: CallVariant): CallVariant {
  return riskLevelOf(a) >= riskLevelOf(b) ? a : b
}

/**
 * Returns true if a call can be repeated after a transport failure because a repeat has no further effect. In an
 * effective record, relaxing hints are vouched for, so it is safe to rely on the result.
 *
 * @example
 * import { mayRetry, resolveEffective } from '@hintgate/metadata'
 * mayRetry(resolveEffective({ declared: { hints: { idempotent: true } }, vouched: true })) // => true
 */
export function mayRetry(effective: EffectiveHints): boolean {
  return effective.readOnly.value || effective.idempotent.value
}
