import { HINTS, SPEC_HINTS } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../../protocol/messages.ts'

interface HintFact {
  readonly label: string
  readonly value: boolean
  readonly source: string
}

/** What the gateway says of a tool, as far as it is shown. All of it may be text of a server. */
export interface ToolFacts {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly signature: string
  readonly callWith: string
  readonly riskLevel: string
  readonly category: string
  readonly domains: readonly string[]
  readonly confirm: string
  readonly score: string
  /** The four of the specification, in its order. */
  readonly hints: readonly HintFact[]
}

export function readFacts(tool: Json): ToolFacts {
  const { annotations, sources, domains } = tool
  return {
    id: textOf(tool.id),
    title: textOf(tool.title),
    description: textOf(tool.description),
    signature: textOf(tool.signature),
    callWith: textOf(tool.call_with),
    riskLevel: textOf(tool.risk_level),
    category: textOf(tool.category),
    confirm: textOf(tool.confirm),
    score: textOf(tool.score),
    domains: Array.isArray(domains) ? domains.map(textOf) : [],
    hints: SPEC_HINTS.map(hint => {
      const { wire, label } = HINTS[hint]
      return {
        label,
        value: isJsonObject(annotations) && annotations[wire] === true,
        source: isJsonObject(sources) ? textOf(sources[wire]) : '',
      }
    }),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
