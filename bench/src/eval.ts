import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { Evaluation } from './evaluation.ts'
import { runGuardrails } from './guardrails/run-guardrails.ts'
import { runHijack } from './hijack/run-hijack.ts'
import { runSuggest } from './hijack/run-suggest.ts'
import { runInference } from './inference/run-inference.ts'
import { runRetrieval } from './retrieval/run-retrieval.ts'
import { runScanner } from './scanner/run-scanner.ts'

const DEFAULT_DATA = '../shared/data'

const EVALUATIONS: ReadonlyMap<string, Evaluation> = new Map([
  [
    'guardrails',
    {
      about: 'detect secrets, personal data and injections in labelled texts; --misses lists the mistakes',
      needs: 'attacks',
      run: runGuardrails,
    },
  ],
  [
    'hijack',
    {
      about: 'replay hijacked and honest agent runs through a gateway: what is stopped, what asks',
      needs: 'hijack',
      run: runHijack,
    },
  ],
  [
    'inference',
    {
      about: 'infer the hints of annotated tools and compare them with the annotations of their authors',
      needs: 'annotations',
      run: runInference,
    },
  ],
  [
    'retrieval',
    {
      about:
        'search tools with labelled queries; --speed measures the index instead, --semantic adds meanings',
      needs: 'retrieval',
      run: runRetrieval,
    },
  ],
  [
    'scanner',
    {
      about: 'scan poisoned and benign tool descriptions, and vendors’ tools',
      needs: 'attacks',
      run: runScanner,
    },
  ],
  [
    'suggest',
    {
      about: 'play a month of honest runs, accept what `hintgate policy suggest` suggests, and measure again',
      needs: 'hijack',
      run: runSuggest,
    },
  ],
])

function describeUsage(): string {
  const list = [...EVALUATIONS].map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`)
  return [
    'Usage: npm run eval -- NAME [--data DIR] [--json] [--bars] [--speed] [--semantic] [--misses] [--suite NAME] [--config FILE] [--forms A,B] [--sample N] [--save FILE]',
    '',
    ...list,
    '',
    `  --data DIR   the data folder (default ${DEFAULT_DATA})`,
    '  --json       one JSON object instead of tables',
    '  --bars       exit with 1 if a bar is missed',
    '  --speed      measure time and memory (retrieval only)',
    '  --semantic   also measure search.semantic, with its packages in test/peers (retrieval only)',
    '  --misses     list the mistakes (guardrails, hijack)',
    '  --suite NAME only suites with this in their names (hijack, suggest)',
    '  --config F   a config of the gateway in place of the defaults (hijack only)',
    '  --forms A,B  only attacks in these forms; "none" for none (hijack only)',
    '  --sample N   at most N hijacked runs of a suite, for hijack in each form and for each attacker (hijack, suggest)',
    '  --save FILE  write the JSON there as well (hijack, suggest)',
    '',
    'Example: npm run eval -- inference --data ../shared/data --json',
  ].join('\n')
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}

function readArguments(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      data: { type: 'string', default: DEFAULT_DATA },
      json: { type: 'boolean', default: false },
      bars: { type: 'boolean', default: false },
      speed: { type: 'boolean', default: false },
      semantic: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
      suite: { type: 'string' },
      config: { type: 'string' },
      forms: { type: 'string' },
      sample: { type: 'string' },
      save: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
}

async function main(argv: readonly string[]): Promise<number> {
  let parsed: ReturnType<typeof readArguments>
  try {
    parsed = readArguments(argv)
  } catch (error) {
    complain(`${error instanceof Error ? error.message : String(error)}\n\n${describeUsage()}`)
    return 2
  }
  const { values, positionals } = parsed
  if (values.help) {
    process.stdout.write(`${describeUsage()}\n`)
    return 0
  }
  const name = positionals[0] ?? ''
  const evaluation = EVALUATIONS.get(name)
  if (evaluation === undefined) {
    complain(`${name === '' ? 'Name an evaluation.' : `Unknown evaluation "${name}".`}\n\n${describeUsage()}`)
    return 2
  }
  const dataFolder = resolve(values.data)
  if (!(await isFolder(join(dataFolder, evaluation.needs)))) {
    complain(`Folder not found: ${join(dataFolder, evaluation.needs)}. Pass the data folder with --data DIR.`)
    return 2
  }
  const context = {
    dataFolder,
    json: values.json,
    enforceBars: values.bars,
    speed: values.speed,
    semantic: values.semantic,
    misses: values.misses,
    suite: values.suite,
    save: values.save,
    config: values.config,
    forms: values.forms,
    sample: values.sample === undefined ? undefined : Number(values.sample),
    print: (text: string) => process.stdout.write(`${text}\n`),
    complain,
    now: () => performance.now(),
  }
  return evaluation.run(context)
}

// A reader such as `head` may close the pipe early; that is not a failure.
process.stdout.on('error', () => process.exit())

process.exitCode = await main(process.argv.slice(2))
