import type { EvalContext } from '../evaluation.ts'
import { judgeUnseen, toRows } from '../train/train-inference.ts'
import { checkBars } from './bars.ts'
import { judgeTools, scoreInference } from './evaluate.ts'
import { loadTools } from './load-tools.ts'
import { reportInference } from './report.ts'

const MAX_PROBLEMS_SHOWN = 20

/** Scores inference against authors' annotations. Returns the exit code. */
export async function runInference(context: EvalContext): Promise<number> {
  const { tools, files, problems } = await loadTools(context.dataFolder)
  for (const problem of problems.slice(0, MAX_PROBLEMS_SHOWN)) context.complain(`skipped ${problem}`)
  if (problems.length > 0) context.complain(`Skipped ${problems.length} invalid rows in ${files} files.`)
  if (tools.length === 0) {
    context.complain(
      `No tools in ${context.dataFolder}/annotations/*.jsonl(.gz). Pass another folder with --data DIR.`,
    )
    return 2
  }
  const { judged, microsecondsPerTool } = judgeTools(tools, context.now)
  const inSample = scoreInference(judged, microsecondsPerTool)
  const unseen = scoreInference(judgeUnseen(toRows(tools)), microsecondsPerTool)
  const bars = checkBars(unseen)
  context.print(
    context.json
      ? JSON.stringify({ unseen, inSample, badRows: problems.length, bars }, undefined, 2)
      : reportInference({ unseen, inSample }, bars),
  )
  return context.enforceBars && bars.some(({ met }) => !met) ? 1 : 0
}
