import type { SearchDocument } from '@hintgate/gateway/search'
import type { RetrievalSet } from './load-sets.ts'
import { mean } from './metrics.ts'
import type { Rank } from './ranker.ts'

export interface AnswerSizes {
  /** Mean tokens of one tool in a plain `tools/list`. */
  readonly listedTool: number
  /** Mean tokens of an answer with the default limit. */
  readonly compact: number
  readonly full: number
  /** From this many tools on, one search costs less than listing everything. */
  readonly breakEvenCompact: number
  readonly breakEvenFull: number
}

const LIMIT = 8
/** The most that the search surface's own tools may cost (issue 4); they are listed before anything is searched. */
const SURFACE_TOKENS = 1_200
/** A sample is enough for a mean. */
const MAX_QUERIES = 200

/** Four characters a token: near enough for English and JSON, and needs no vendor's tokeniser. */
export function countTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

/** Weighs answers of the shape that DESIGN §5 gives `retrieve_tools`; hints stand in with typical values. */
export function measureAnswers({ tools, queries }: RetrievalSet, rank: Rank): AnswerSizes {
  const byId = new Map(tools.map(tool => [tool.id, tool]))
  const step = Math.max(1, Math.floor(queries.length / MAX_QUERIES))
  const answers = queries
    .filter((_, at) => at % step === 0)
    .map(({ text }) => rank(text, LIMIT).flatMap(id => byId.get(id) ?? []))
  const sizeOf = (show: (tool: SearchDocument) => object): number =>
    mean(answers.map(found => countTokens({ tools: found.map(show), total: found.length })))
  const listedTool = mean(
    tools.map(({ name, description, inputSchema }) => countTokens({ name, description, inputSchema })),
  )
  const compact = sizeOf(showCompact)
  const full = sizeOf(showFull)
  const breakEven = (answer: number): number => Math.ceil((SURFACE_TOKENS + answer) / listedTool)
  return {
    listedTool,
    compact,
    full,
    breakEvenCompact: breakEven(compact),
    breakEvenFull: breakEven(full),
  }
}

const HINTS = {
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  call_with: 'call_tool_read',
  risk_level: 'low',
  category: 'read',
  score: 12.34,
  confirm: 'never',
}

function showCompact(tool: SearchDocument): object {
  const description = tool.description.split(/[.\n](?:\s|$)/)[0] ?? ''
  return { id: tool.id, description, signature: sign(tool), call_with: HINTS.call_with, score: HINTS.score }
}

function showFull(tool: SearchDocument): object {
  return { id: tool.id, description: tool.description, inputSchema: tool.inputSchema, ...HINTS }
}

/** `read(path: string, limit?: number)`: what a caller needs of most schemas. */
function sign({ name, inputSchema }: SearchDocument): string {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as {
    properties?: Record<string, { type?: unknown } | undefined>
    required?: readonly string[]
  }
  const parameters = Object.entries(properties).map(([key, value]) => {
    const mark = required.includes(key) ? '' : '?'
    return `${key}${mark}: ${typeof value?.type === 'string' ? value.type : 'any'}`
  })
  return `${name}(${parameters.join(', ')})`
}
