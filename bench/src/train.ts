import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runTrainInference } from './train/run-inference.ts'
import { runTrainInjection } from './train/run-injection.ts'

const DEFAULT_DATA = '../shared/data'

/** Learns a table of weights from a data folder and returns what was written. */
type Training = (dataFolder: string) => Promise<string>

const TRAININGS: ReadonlyMap<string, Training> = new Map([
  ['inference', runTrainInference],
  ['injection', runTrainInjection],
])

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { data: { type: 'string', default: DEFAULT_DATA } },
  })
  const training = TRAININGS.get(positionals[0] ?? '')
  if (training === undefined) {
    const names = [...TRAININGS.keys()].join(' | ')
    process.stderr.write(`Usage: npm run train -- ${names} [--data DIR] (default ${DEFAULT_DATA})\n`)
    return 2
  }
  process.stdout.write(`${await training(resolve(values.data))}\n`)
  return 0
}

process.exitCode = await main(process.argv.slice(2))
