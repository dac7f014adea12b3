import { countTokens, type SearchDocument, viewTool, withEffectiveHints } from '@hintgate/gateway/search'
import { assessTool } from '@hintgate/metadata'
import type { RetrievalSet } from './load-sets.ts'
import { mean } from './metrics.ts'
import type { Rank } from './ranker.ts'

export interface AnswerSizes {
  /** Mean tokens of one tool in a plain `tools/list`. */
  readonly listedTool: number
  /** Mean tokens of an answer with the default limit. */
  readonly compact: number
  readonly full: number
  /** The number of tools from which one search costs less than listing everything. */
  readonly breakEvenCompact: number
  readonly breakEvenFull: number
}

const LIMIT = 8
/** The token limit of the search surface's own tools (issue 4), which are always listed. */
const SURFACE_TOKENS = 1_200
/** A sample is enough for a mean. */
const MAX_QUERIES = 200

/** Measures the size of answers of `retrieve_tools`. */
export function measureAnswers({ tools, queries }: RetrievalSet, rank: Rank): AnswerSizes {
  const byId = new Map(tools.map(tool => [tool.id, tool]))
  const step = Math.max(1, Math.floor(queries.length / MAX_QUERIES))
  const answers = queries
    .filter((_, at) => at % step === 0)
    .map(({ text }) => rank(text, LIMIT).flatMap(id => byId.get(id) ?? []))
  const sizeOf = (detail: 'compact' | 'full'): number =>
    mean(
      answers.map(found =>
        countTokens({ tools: found.map(tool => show(tool, detail)), total: found.length }),
      ),
    )
  const listedTool = mean(
    tools.map(({ name, description, inputSchema }) => countTokens({ name, description, inputSchema })),
  )
  const compact = sizeOf('compact')
  const full = sizeOf('full')
  const breakEven = (answer: number): number => Math.ceil((SURFACE_TOKENS + answer) / listedTool)
  return {
    listedTool,
    compact,
    full,
    breakEvenCompact: breakEven(compact),
    breakEvenFull: breakEven(full),
  }
}

/** A tool as the gateway's search returns it, assessed as vouched for. */
function show(tool: SearchDocument, detail: 'compact' | 'full'): object {
  const { server, name, description, inputSchema } = tool
  const definition = { name, description, inputSchema }
  const assessment = assessTool(definition, { vouched: true })
  const catalogTool = {
    server,
    name,
    definition,
    assessment,
    shown: withEffectiveHints(definition, assessment),
  }
  return viewTool(catalogTool, { score: 12.34, detail, confirm: CONFIRM })
}

const CONFIRM = { read: 'never', write: 'never', destructive: 'always' } as const
