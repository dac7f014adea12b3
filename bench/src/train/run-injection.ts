import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { evaluateInjection } from '../guardrails/evaluate-injection.ts'
import { loadDetectors } from '../guardrails/load-detectors.ts'
import { loadSamples } from '../guardrails/load-rows.ts'
import { InjectionTraining, loadPlainTexts } from './train-injection.ts'
import { fingerprintFolder, writeTable } from './write-table.ts'

const TABLE = fileURLToPath(
  new URL('../../../packages/gateway/src/detect/injection/injection-weights.json', import.meta.url),
)

export async function runTrainInjection(dataFolder: string): Promise<string> {
  const { rows } = await loadSamples(dataFolder, 'prompt_injection')
  const detectors = await loadDetectors()
  const training = new InjectionTraining(rows, await loadPlainTexts(dataFolder), detectors)
  const { recall, falsePositives } = evaluateInjection(rows, {
    ...detectors,
    findInjection: training.findUnseen(),
  })
  const unseen = { recall: round(recall), flaggedLookAlikes: round(falsePositives) }
  const table = training.train()
  const bytes = await writeTable(
    TABLE,
    {
      command: 'npm run train -- injection',
      rows: rows.length,
      groups: new Set(rows.map(({ group }) => group)).size,
      data: await fingerprintFolder(join(dataFolder, 'attacks')),
      unseen,
    },
    table,
  )
  return `Wrote ${Object.keys(table.weights).length} weights (${Math.round(bytes / 1024)} KB). On templates and sources that training had not seen: ${JSON.stringify(unseen)}. Build again to use them.`
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
