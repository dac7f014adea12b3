import type { EvalContext } from '../evaluation.ts'
import { InjectionTraining, loadPlainTexts } from '../train/train-injection.ts'
import { checkBars } from './bars.ts'
import { evaluateAll } from './evaluate-all.ts'
import { evaluateInjection } from './evaluate-injection.ts'
import { loadDetectors } from './load-detectors.ts'
import { FILES, loadSamples } from './load-rows.ts'
import { reportGuardrails } from './report.ts'

const MAX_PROBLEMS_SHOWN = 20

/** Scores the detectors on labelled texts. Returns the exit code. */
export async function runGuardrails(context: EvalContext): Promise<number> {
  const [secrets, pii, injection] = await Promise.all(
    FILES.map(name => loadSamples(context.dataFolder, name)),
  )
  if (secrets === undefined || pii === undefined || injection === undefined) return 2
  const problems = [secrets, pii, injection].flatMap(samples => samples.problems)
  for (const problem of problems.slice(0, MAX_PROBLEMS_SHOWN)) context.complain(`skipped ${problem}`)
  if ([secrets, pii, injection].every(({ rows }) => rows.length === 0)) {
    context.complain(`No rows in ${context.dataFolder}/attacks. Pass another folder with --data DIR.`)
    return 2
  }
  const detectors = await loadDetectors()
  const inSample = evaluateAll({ secrets, pii, injection }, detectors)
  const training = new InjectionTraining(injection.rows, await loadPlainTexts(context.dataFolder), detectors)
  const unseen = evaluateInjection(injection.rows, { ...detectors, findInjection: training.findUnseen() })
  const results = { ...inSample, injection: unseen, injectionInSample: inSample.injection }
  const bars = checkBars(results)
  context.print(
    context.json
      ? JSON.stringify({ ...results, badRows: problems.length, bars }, undefined, 2)
      : reportGuardrails(results, bars, context.misses),
  )
  return context.enforceBars && bars.some(({ met }) => !met) ? 1 : 0
}
