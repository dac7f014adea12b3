import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scoreInference } from '../inference/evaluate.ts'
import { loadTools } from '../inference/load-tools.ts'
import { judgeUnseen, toRows, trainInference } from './train-inference.ts'
import { fingerprintFolder, writeTable } from './write-table.ts'

const TABLE = fileURLToPath(new URL('../../../packages/metadata/src/infer/weights.json', import.meta.url))

export async function runTrainInference(dataFolder: string): Promise<string> {
  const { tools } = await loadTools(dataFolder)
  const rows = toRows(tools)
  const results = scoreInference(judgeUnseen(rows), 0)
  const unseen = Object.fromEntries(
    results.questions.map(({ question, inference }) => [
      question,
      Math.round(inference.meanOverVendors * 1000) / 1000,
    ]),
  )
  const table = trainInference(rows)
  const bytes = await writeTable(
    TABLE,
    {
      command: 'npm run train -- inference',
      rows: rows.length,
      groups: new Set(rows.map(({ group }) => group)).size,
      data: await fingerprintFolder(join(dataFolder, 'annotations')),
      unseen,
    },
    table,
  )
  return `Wrote ${Object.keys(table.weights).length} weights (${Math.round(bytes / 1024)} KB). Accuracy on vendors that training had not seen: ${JSON.stringify(unseen)}. Build again to use them.`
}
