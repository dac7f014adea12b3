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
  /** From this many tools on, one search costs less than listing everything. */
  readonly breakEvenCompact: number
  readonly breakEvenFull: number
}

const LIMIT = 8
/** The most that the search surface's own tools may cost (issue 4); they are listed before anything is searched. */
const SURFACE_TOKENS = 1_200
/** A sample is enough for a mean. */
const MAX_QUERIES = 200

/** Weighs answers of `retrieve_tools`. */
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

/** The tool as the gateway's search answers with it, judged as if a reviewer had approved it. */
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
