import { fileURLToPath } from 'node:url'
import type { EvalContext } from '../evaluation.ts'
import { type Bar, checkQuality, checkSpeed } from './bars.ts'
import { evaluateSets } from './evaluate.ts'
import { loadSets, type RetrievalSet } from './load-sets.ts'
import { createSemanticRanker } from './meaning.ts'
import { listRankers } from './rankers.ts'
import { reportQuality, reportSpeed } from './report.ts'
import { measureSpeed } from './speed.ts'

const MAX_PROBLEMS_SHOWN = 20
const PEERS = fileURLToPath(new URL('../../../test/peers', import.meta.url))

/** Scores the search on labelled queries, or measures its speed with `--speed`. Returns the exit code. */
export async function runRetrieval(context: EvalContext): Promise<number> {
  const { sets, problems } = await loadSets(context.dataFolder)
  for (const problem of problems.slice(0, MAX_PROBLEMS_SHOWN)) context.complain(`skipped ${problem}`)
  if (problems.length > MAX_PROBLEMS_SHOWN) context.complain(`Skipped ${problems.length} rows in total.`)
  if (sets.length === 0) {
    context.complain(
      `No set in ${context.dataFolder}/retrieval/SET/{tools,queries}.jsonl(.gz). Pass another folder with --data DIR.`,
    )
    return 2
  }
  const bars = context.speed
    ? await runSpeed(context, sets)
    : await runQuality(context, sets, problems.length)
  return context.enforceBars && bars.some(({ met }) => !met) ? 1 : 0
}

async function runQuality(
  context: EvalContext,
  sets: readonly RetrievalSet[],
  badRows: number,
): Promise<readonly Bar[]> {
  const semantic = context.semantic ? [await createSemanticRanker(sets, [PEERS])] : []
  const [ours, ...others] = listRankers()
  const results = evaluateSets(sets, [...(ours ? [ours] : []), ...semantic, ...others])
  const bars = checkQuality(results)
  context.print(
    context.json ? JSON.stringify({ ...results, badRows, bars }, undefined, 2) : reportQuality(results, bars),
  )
  return bars
}

async function runSpeed(context: EvalContext, sets: readonly RetrievalSet[]): Promise<readonly Bar[]> {
  const results = await measureSpeed(context.dataFolder, sets)
  const bars = checkSpeed(results)
  context.print(
    context.json ? JSON.stringify({ speed: results, bars }, undefined, 2) : reportSpeed(results, bars),
  )
  return bars
}
