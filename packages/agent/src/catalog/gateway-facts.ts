import {
  type Assessment,
  CALL_VARIANTS,
  CATEGORIES,
  type Category,
  type EffectiveRecord,
  HINT_NAMES,
  HINTS,
  type HintName,
  META_EFFECTIVE,
  riskLevelOf,
  type Source,
  type Sourced,
  SPEC_HINTS,
  type ToolDefinition,
} from '@hintgate/metadata'
import { isJsonObject, type Json } from '../json.ts'

const SOURCES: readonly Source[] = ['override', 'declared', 'inferred', 'default']
/** Separates the server's name from the tool's name in a gateway's tool names. */
const SEPARATOR = '__'

/** A tool definition from a gateway's list, separated into the definition and the gateway's facts. */
export interface GatewayTool {
  readonly server: string
  readonly name: string
  /**
   * The definition without the gateway's own facts. The facts depend on the gateway's rules, so they can change while
   * the tool stays the same.
   */
  readonly definition: ToolDefinition
  readonly facts: Json | undefined
}

export function readGatewayTool(sent: ToolDefinition): GatewayTool {
  const at = sent.name.indexOf(SEPARATOR)
  const [server, name] =
    at < 1 ? ['gateway', sent.name] : [sent.name.slice(0, at), sent.name.slice(at + SEPARATOR.length)]
  const { [META_EFFECTIVE]: facts, ...meta } = isJsonObject(sent._meta) ? sent._meta : {}
  const { _meta, ...rest } = sent
  const definition = Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta }
  return { server, name, definition: { ...definition, name }, facts: isJsonObject(facts) ? facts : undefined }
}

/** Overrides the local assessment with the gateway's facts, because the gateway's operator has reviewed the tool. */
export function applyGatewayFacts(assessment: Assessment, { definition, facts }: GatewayTool): Assessment {
  const variant = CALL_VARIANTS.find(known => known === facts?.call_with)
  // A tool without such facts does not come from a gateway, so nothing vouches for the tool.
  if (facts === undefined || variant === undefined) return assessment
  return {
    ...assessment,
    effective: { ...assessment.effective, ...readHints(definition, facts) },
    variant,
    riskLevel: riskLevelOf(variant),
    category: isCategory(facts.category) ? facts.category : assessment.category,
  }
}

function readHints(definition: ToolDefinition, facts: Json): Partial<EffectiveRecord> {
  const annotations = isJsonObject(definition.annotations) ? definition.annotations : {}
  const risk = isJsonObject(facts.risk_hints) ? facts.risk_hints : {}
  const sources = isJsonObject(facts.sources) ? facts.sources : {}
  const read = HINT_NAMES.flatMap(hint => {
    const { wire } = HINTS[hint]
    const value = isSpecs(hint) ? annotations[wire] : risk[wire]
    const source = SOURCES.find(known => known === sources[wire])
    const sourced: Sourced<boolean> | undefined =
      typeof value === 'boolean' && source !== undefined ? { value, source } : undefined
    return sourced === undefined ? [] : [[hint, sourced] as const]
  })
  return Object.fromEntries(read)
}

function isSpecs(hint: HintName): boolean {
  return SPEC_HINTS.some(known => known === hint)
}

function isCategory(value: unknown): value is Category {
  return typeof value === 'string' && Object.hasOwn(CATEGORIES, value)
}
