import { findContradictions } from '../authoring/validate-metadata.ts'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { type Category, categoryOf, type RiskLevel, worseCategory } from '../derive/category.ts'
import { displayTitle } from '../derive/title.ts'
import {
  type CallVariant,
  categoryOfVariant,
  deriveVariant,
  type Profile,
  riskLevelOf,
} from '../derive/variant.ts'
import type { Finding } from '../finding.ts'
import { HINTS, SPEC_HINTS } from '../hint/hints.ts'
import { isRelaxing } from '../hint/strictness.ts'
import { inferTool } from '../infer/infer-tool.ts'
import type { Inference } from '../infer/inference.ts'
import { readDefinition } from '../wire/read-definition.ts'
import { resolveEffective } from './resolve-effective.ts'
import type { EffectiveRecord, Override, ToolRecord } from './tool-record.ts'

/** How sure inference must be before a declared hint that says the opposite is worth a person's look. */
const CONTRADICTS_AT = 0.8

export interface Context {
  /** Nobody vouches unless you say so. */
  readonly vouched?: boolean
  readonly profile?: Profile
  readonly override?: Override
  readonly siblings?: readonly ToolDefinition[]
}

/** Everything Hintgate makes of one definition. */
export interface Assessment {
  readonly name: string
  readonly title: string
  readonly declared: ToolRecord
  readonly inferred: Inference
  readonly effective: EffectiveRecord
  readonly variant: CallVariant
  readonly riskLevel: RiskLevel
  readonly category: Category
  readonly findings: readonly Finding[]
}

/**
 * Reads a definition, infers, resolves the layers and derives how the tool must be called.
 *
 * @example
 * import { assessTool } from '@hintgate/metadata'
 * assessTool({ name: 'delete_file' }).variant // => 'call_tool_destructive'
 * assessTool({ name: 'ping', annotations: { readOnlyHint: true } }).variant // => 'call_tool_write'
 * assessTool({ name: 'ping', annotations: { readOnlyHint: true } }, { vouched: true }).variant // => 'call_tool_read'
 */
export function assessTool(input: unknown, context: Context = {}): Assessment {
  const { definition, declared, findings } = readDefinition(input)
  const inferred = inferTool(definition, context.siblings)
  const effective = resolveEffective({
    declared,
    inferred,
    vouched: context.vouched ?? false,
    ...(context.override === undefined ? {} : { override: context.override }),
  })
  const variant = deriveVariant(effective, context.profile)
  return {
    name: definition.name,
    title: displayTitle(definition),
    declared,
    inferred,
    effective,
    variant,
    riskLevel: riskLevelOf(variant),
    category: judgeCategory(variant, effective),
    findings: [
      ...findings,
      ...findContradictions(declared).map(onWire),
      ...disagreements(declared, inferred),
    ],
  }
}

/** Who vouches for a read vouches for its category, too, whatever its name makes one guess. */
function judgeCategory(variant: CallVariant, { operations }: EffectiveRecord): Category {
  const category = categoryOfVariant(variant)
  return category === 'read' ? category : worseCategory(category, categoryOf(operations.value))
}

/** A definition off the wire has `annotations.readOnlyHint`, not `behavior.readOnly`. */
function onWire(finding: Finding): Finding {
  const hint = SPEC_HINTS.find(name => finding.path === `behavior.${name}`)
  return { ...finding, path: hint === undefined ? 'annotations' : `annotations.${HINTS[hint].wire}` }
}

/** Where the author relaxes a hint and the words of the definition say the opposite. */
function disagreements(declared: ToolRecord, inferred: Inference): Finding[] {
  const checked = (['readOnly', 'destructive'] as const).filter(hint => {
    const judged = inferred[hint]
    const isOpposite = isRelaxing(hint, declared.hints[hint]) && judged.value === HINTS[hint].strict
    return isOpposite && judged.confidence >= CONTRADICTS_AT
  })
  return checked.map(hint => ({
    code: 'declared-contradicts-inferred',
    level: 'warning',
    path: `annotations.${HINTS[hint].wire}`,
    message: `declared ${HINTS[hint].wire}: ${declared.hints[hint]}, but ${reasons(inferred, hint)}`,
    fix: 'Correct the hint, or the name and description that suggest otherwise.',
  }))
}

function reasons(inferred: Inference, hint: 'readOnly' | 'destructive'): string {
  const [best] = inferred[hint].evidence
  return best === undefined ? 'the definition suggests otherwise' : `the ${best.from} says "${best.text}"`
}
