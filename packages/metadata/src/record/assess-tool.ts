import { findContradictions } from '../authoring/validate-metadata.ts'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { type Category, categoryOf, type RiskLevel, worseCategory } from '../derive/category.ts'
import { consequencesOf, type ToolConsequences } from '../derive/consequence.ts'
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
import { inferFromMethod } from '../infer/infer-from-method.ts'
import { inferTool } from '../infer/infer-tool.ts'
import type { Inference, Judgement } from '../infer/inference.ts'
import { readDefinition } from '../wire/read-definition.ts'
import { resolveEffective, TIGHTENS_AT } from './resolve-effective.ts'
import type { EffectiveRecord, Override, Source, Sourced, ToolRecord } from './tool-record.ts'

/** The minimum confidence with which inference can contradict a declared hint. */
const CONTRADICTS_AT = 0.8

export interface Context {
  /** True if the definition is vouched for. Default: false. */
  readonly vouched?: boolean
  readonly profile?: Profile
  readonly override?: Override
  readonly siblings?: readonly ToolDefinition[]
}

/** The complete assessment of a definition. */
export interface Assessment {
  readonly name: string
  readonly title: string
  readonly declared: ToolRecord
  readonly inferred: Inference
  readonly effective: EffectiveRecord
  readonly variant: CallVariant
  readonly riskLevel: RiskLevel
  readonly category: Category
  readonly consequence: ToolConsequences
  readonly categorySource: Source
  /**
   * The category that the words of the definition suggest, if it differs from `category`. It is informative only and
   * never relaxes anything.
   */
  readonly inferredCategory?: Judgement<Category>
  readonly findings: readonly Finding[]
}

/**
 * Reads a definition, infers hints, resolves the layers and derives the variant.
 *
 * @example
 * import { assessTool } from '@hintgate/metadata'
 * assessTool({ name: 'delete_file' }).variant // => 'call_tool_destructive'
 * assessTool({ name: 'ping', annotations: { readOnlyHint: true } }).variant // => 'call_tool_write'
 * assessTool({ name: 'ping', annotations: { readOnlyHint: true } }, { vouched: true }).variant // => 'call_tool_read'
 */
export function assessTool(input: unknown, context: Context = {}): Assessment {
  const { definition, declared, findings } = readDefinition(input)
  const inferred = inferFromMethod(inferTool(definition, context.siblings), definition, TIGHTENS_AT)
  const effective = resolveEffective({
    declared,
    inferred,
    vouched: context.vouched ?? false,
    ...(context.override === undefined ? {} : { override: context.override }),
  })
  const variant = deriveVariant(effective, context.profile)
  const { value: category, source: categorySource } = judgeCategory(variant, effective)
  return {
    name: definition.name,
    title: displayTitle(definition),
    declared,
    inferred,
    effective,
    variant,
    riskLevel: riskLevelOf(variant),
    consequence: consequencesOf(definition, context.override?.consequence),
    category,
    categorySource,
    ...inferCategory(inferred, category),
    findings: [
      ...findings,
      ...findContradictions(declared).map(onWire),
      ...disagreements(declared, inferred),
    ],
  }
}

/**
 * Returns the variant's category, or that of the operations if it is worse. A tool that is called as a read keeps the
 * category `read`, even if its name suggests otherwise.
 */
function judgeCategory(variant: CallVariant, effective: EffectiveRecord): Sourced<Category> {
  const category = categoryOfVariant(variant)
  const { operations, readOnly, destructive } = effective
  const own = { value: category, source: category === 'delete' ? destructive.source : readOnly.source }
  const worse = worseCategory(category, categoryOf(operations.value))
  return category === 'read' || worse === category ? own : { value: worse, source: operations.source }
}

function inferCategory(
  { operations }: Inference,
  category: Category,
): { readonly inferredCategory?: Judgement<Category> } {
  const value = categoryOf(operations.value)
  const isSure = operations.value.length > 0 && operations.confidence >= TIGHTENS_AT
  return isSure && value !== category ? { inferredCategory: { ...operations, value } } : {}
}

/**
 * Replaces the path in a finding about metadata (`behavior.readOnly`) with the corresponding path on the wire
 * (`annotations.readOnlyHint`).
 */
function onWire(finding: Finding): Finding {
  const hint = SPEC_HINTS.find(name => finding.path === `behavior.${name}`)
  return { ...finding, path: hint === undefined ? 'annotations' : `annotations.${HINTS[hint].wire}` }
}

/**
 * A query in a language that can write. It is no contradiction, because the server may accept only queries that read, for
 * example with the rights of its database user.
 */
const COULD_WRITE = 'param.sql'

/** Reports relaxing hints that contradict the wording of the definition. */
function disagreements(declared: ToolRecord, inferred: Inference): Finding[] {
  const checked = (['readOnly', 'destructive'] as const).filter(hint => {
    const judged = inferred[hint]
    const isOpposite = isRelaxing(hint, declared.hints[hint]) && judged.value === HINTS[hint].strict
    return isOpposite && judged.confidence >= CONTRADICTS_AT && judged.evidence[0]?.rule !== COULD_WRITE
  })
  return checked.map(hint => ({
    code: 'declared-contradicts-inferred',
    level: 'warning',
    path: `annotations.${HINTS[hint].wire}`,
    message: `${HINTS[hint].wire} is declared ${declared.hints[hint]}, but ${reasons(inferred, hint)}.`,
    fix: 'Correct the hint, or the name and description that contradict it.',
  }))
}

function reasons(inferred: Inference, hint: 'readOnly' | 'destructive'): string {
  const [best] = inferred[hint].evidence
  return best === undefined ? 'the definition suggests the opposite' : `the ${best.from} says "${best.text}"`
}
