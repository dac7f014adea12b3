import type { EvalContext } from '../evaluation.ts'
import { checkBars } from './bars.ts'
import { evaluateScanner } from './evaluate.ts'
import { loadRows, loadVendorTools } from './load-rows.ts'
import { reportScanner } from './report.ts'
import { scoreUnseen } from './unseen.ts'

const MAX_PROBLEMS_SHOWN = 20

/** Scores the scanner on labelled descriptions and on vendors' tools. Returns the exit code. */
export async function runScanner(context: EvalContext): Promise<number> {
  const { rows, problems } = await loadRows(context.dataFolder)
  for (const problem of problems.slice(0, MAX_PROBLEMS_SHOWN)) context.complain(`skipped ${problem}`)
  if (rows.length === 0) {
    context.complain(
      `No rows in ${context.dataFolder}/attacks/tool_descriptions.jsonl(.gz). Pass another folder with --data DIR.`,
    )
    return 2
  }
  const vendors = await loadVendorTools(context.dataFolder)
  const results = evaluateScanner(rows, vendors.rows, context.now)
  const unseen = scoreUnseen(rows, vendors.rows)
  const bars = checkBars(results, unseen)
  context.print(
    context.json
      ? JSON.stringify({ unseen, ...results, badRows: problems.length, bars }, undefined, 2)
      : reportScanner(results, bars, unseen),
  )
  return context.enforceBars && bars.some(({ met }) => !met) ? 1 : 0
}
