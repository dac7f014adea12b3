import {
  CATEGORIES,
  type CallVariant,
  type Category,
  type Graduation,
  HINTS,
  kindOfVariant,
  RISK_HINTS,
  type RiskLevel,
  type Source,
  SPEC_HINTS,
} from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import { valuesOnWire } from '../catalog/to-catalog-tool.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Explanation } from './engine/search-index.ts'
import { writeSignature } from './write-signature.ts'

/** The rules in the config about which kinds of calls need approval. */
export type ConfirmRules = Graduation

type JudgedTool = Pick<CatalogTool, 'server' | 'name' | 'alias' | 'definition' | 'assessment' | 'shown'>

export type Detail = 'compact' | 'full'

interface InferredCategory {
  readonly category: Category
  readonly category_label: string
  readonly source: 'inferred'
  readonly confidence: number
}

export interface ToolView {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly inputSchema?: unknown
  readonly signature: string
  readonly annotations: Json
  /** The tool's risk hints. Those that have only their default are left out. */
  readonly risk_hints?: Readonly<Record<string, boolean>>
  readonly sources: Readonly<Record<string, Source>>
  readonly call_with: CallVariant
  readonly risk_level: RiskLevel
  readonly category: Category
  readonly category_label: string
  readonly category_source: Source
  readonly inferred_category?: InferredCategory
  readonly domains: readonly string[]
  readonly score: number
  readonly confirm: 'never' | 'always'
  /** The explanation of the score. Absent unless the search asked for explanations. */
  readonly explain?: readonly Explanation[]
}

const MAX_SENTENCE = 200

/** Returns the id by which callers call a tool: `server:tool`, or its name in a toolset. */
export function idOf({ server, name, alias }: Pick<CatalogTool, 'server' | 'name' | 'alias'>): string {
  return alias ?? `${server}:${name}`
}

export function viewTool(
  tool: JudgedTool,
  { score, detail, confirm }: { score: number; detail: Detail; confirm: ConfirmRules },
): ToolView {
  const { assessment, definition } = tool
  const description = typeof definition.description === 'string' ? definition.description : ''
  return {
    id: idOf(tool),
    title: assessment.title,
    description: detail === 'full' ? description : firstSentence(description),
    ...(detail === 'full' ? { inputSchema: definition.inputSchema ?? {} } : {}),
    signature: writeSignature(tool.alias ?? tool.name, definition.inputSchema),
    ...factsOf(tool, confirm),
    score: Math.round(score * 100) / 100,
  }
}

export function describeTool(tool: JudgedTool, confirm: ConfirmRules): Json {
  return {
    ...tool.shown,
    id: idOf(tool),
    title: tool.assessment.title,
    signature: writeSignature(tool.alias ?? tool.name, tool.definition.inputSchema),
    ...factsOf(tool, confirm),
    consequence: { ...tool.assessment.consequence },
  }
}

/** Returns the facts about a tool that every surface reports. */
export function factsOf({ assessment, shown }: JudgedTool, confirm: ConfirmRules) {
  const { effective, variant, riskLevel, category, categorySource } = assessment
  const risk = RISK_HINTS.filter(hint => effective[hint].source !== 'default')
  return {
    annotations: isJsonObject(shown.annotations) ? shown.annotations : {},
    ...(risk.length === 0 ? {} : { risk_hints: valuesOnWire(effective, risk) }),
    sources: Object.fromEntries(
      [...SPEC_HINTS, ...risk].map(hint => [HINTS[hint].wire, effective[hint].source]),
    ),
    call_with: variant,
    risk_level: riskLevel,
    category,
    category_label: CATEGORIES[category].label,
    category_source: categorySource,
    ...viewInferred(assessment),
    domains: effective.serviceDomains.value,
    confirm: confirm[kindOfVariant(variant)],
  }
}

/** Returns the category that the definition's words suggest, if it differs from the category that counts. */
function viewInferred({ inferredCategory }: JudgedTool['assessment']): {
  inferred_category?: InferredCategory
} {
  if (inferredCategory === undefined) return {}
  const { value, confidence } = inferredCategory
  const category_label = CATEGORIES[value].label
  const rounded = Math.round(confidence * 100) / 100
  return { inferred_category: { category: value, category_label, source: 'inferred', confidence: rounded } }
}

function firstSentence(text: string): string {
  const plain = text.trim().replaceAll(/\s+/g, ' ')
  const end = plain.search(/[.!?](?:\s|$)/)
  const sentence = end < 0 ? plain : plain.slice(0, end + 1)
  return sentence.length <= MAX_SENTENCE ? sentence : `${sentence.slice(0, MAX_SENTENCE - 1).trimEnd()}…`
}
