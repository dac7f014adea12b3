import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { measureAbandonedSessions } from './performance/abandoned-sessions.ts'
import { measureAudit } from './performance/audit.ts'
import type { Bar, Extras } from './performance/bars.ts'
import { judgeBars } from './performance/bars.ts'
import type { Peer } from './performance/contenders.ts'
import { describeBars, describeFigures } from './performance/describe.ts'
import { measureHungUpstream } from './performance/hung-upstream.ts'
import type { LoadProcess } from './performance/load-process.ts'
import { startLoadProcess } from './performance/load-process.ts'
import type { Figures, Pace } from './performance/measure.ts'
import { measureBlock } from './performance/measure.ts'
import { FULL, SHORT, selectCells } from './performance/plan.ts'
import { canMeasure } from './performance/process-usage.ts'
import { measureProvenance } from './performance/provenance.ts'
import { measureSets } from './performance/sets.ts'
import { stopEverything } from './performance/start-process.ts'
import { measureStartTime } from './performance/start-time.ts'
import { measureStorm } from './performance/storm.ts'
import { measureTelemetry } from './performance/telemetry.ts'
import { measureToolkit } from './performance/toolkit.ts'
import { measureVerdict } from './performance/verdict.ts'
import { checkSpeed } from './retrieval/bars.ts'
import { loadSets } from './retrieval/load-sets.ts'
import { measureSpeed } from './retrieval/speed.ts'

const USAGE = `Usage: npm run bench -- [options]

  --full               every combination (about an hour) instead of a part (half of one)
  --only PATTERN       only settings and loads that match, e.g. 'stdio modern.*16 at once', 'search', 'extras', or one of the extras: 'storm', 'audit',
                       'verdict', 'provenance', 'sets', 'telemetry', 'toolkit', 'start', 'hung', 'sessions'
  --rounds N           rounds per cell (default 3)
  --ms N               milliseconds per round (default 450)
  --peer NAME=URL,PID  one more proxy, already running in front of bench/dist/performance/upstream-http.js
  --data DIR           where the tools to search are (default ../shared/data)
  --json FILE          keep the raw figures
  --bars               exit with 1 when a bar is missed

Example: npm run bench -- --only 'http modern, 1 ×' --json figures.json`

const SHORT_PACE: Pace = { rounds: 3, milliseconds: 450, warmupMs: 30_000, warmupCalls: 100_000 }
/** There are too many combinations to warm each one up until V8 has optimised everything. */
const FULL_PACE: Pace = { ...SHORT_PACE, warmupMs: 5000, warmupCalls: 15_000 }

function readArguments(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      full: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string', default: String(SHORT_PACE.rounds) },
      ms: { type: 'string', default: String(SHORT_PACE.milliseconds) },
      peer: { type: 'string', multiple: true, default: [] },
      data: { type: 'string', default: '../shared/data' },
      json: { type: 'string' },
      bars: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values
}

type Options = ReturnType<typeof readArguments>

async function main(argv: readonly string[]): Promise<number> {
  const options = readArguments(argv)
  if (options.help) return print(USAGE)
  if (!canMeasure()) throw new Error('The bench runs on Linux only, because it reads CPU times from /proc.')
  const load = startLoadProcess()
  try {
    const figures = await measureFigures(options, load)
    const extras = await measureExtras(options, load)
    const search = await measureSearch(options)
    const bars = [...judgeBars(figures, extras), ...search.bars]
    print(`\n${describeFigures(figures)}\n\n${describeBars(bars)}`)
    if (options.json !== undefined)
      await writeFile(
        options.json,
        JSON.stringify({ figures, extras, search: search.results, bars }, null, 2),
      )
    return options.bars && bars.some(bar => isMissed(bar, options)) ? 1 : 0
  } finally {
    load.stop()
    await stopEverything()
  }
}

/** A complete run must measure every bar. */
function isMissed({ met }: Bar, { only }: Options): boolean {
  return only === undefined ? met !== true : met === false
}

async function measureFigures(options: Options, load: LoadProcess): Promise<Figures[]> {
  const plan = options.full ? FULL : SHORT
  const blocks = options.only === undefined ? plan : selectCells(plan, new RegExp(options.only))
  const pace = {
    ...(options.full ? FULL_PACE : SHORT_PACE),
    rounds: Number(options.rounds),
    milliseconds: Number(options.ms),
  }
  const peers = options.peer.map(parsePeer)
  const figures: Figures[] = []
  for (const block of blocks) figures.push(...(await measureBlock(block, { load, pace, peers, say })))
  return figures
}

async function measureExtras({ only }: Options, load: LoadProcess): Promise<Extras> {
  const part = async <T>(name: string, what: string, measure: () => Promise<T>): Promise<T | undefined> =>
    only === undefined || new RegExp(`extras|${name}`).test(only) ? attempt(what, measure) : undefined
  const measured = {
    storm: await part('storm', 'a storm of list changes', measureStorm),
    audit: await part('audit', 'the audit log', () => measureAudit(load, say)),
    verdict: await part('verdict', 'a verdict', measureVerdict),
    provenance: await part('provenance', 'provenance', measureProvenance),
    sets: await part('sets', 'toolsets', measureSets),
    telemetry: await part('telemetry', 'telemetry', () => measureTelemetry(load)),
    toolkit: await part('toolkit', 'the toolkit', () => measureToolkit(load)),
    startMs: await part('start', 'the time to start', measureStartTime),
    hung: await part('hung', 'a hung upstream', () => measureHungUpstream(load)),
    sessions: await part('sessions', 'abandoned sessions', () => measureAbandonedSessions(load)),
  }
  return Object.fromEntries(Object.entries(measured).filter(([, figures]) => figures !== undefined))
}

/** The search on catalogs of 10,000 and 50,000 tools, generated from real ones. */
async function measureSearch({ only, data }: Options): Promise<{ results: unknown; bars: readonly Bar[] }> {
  if (only !== undefined && !/search/.test(only)) return { results: undefined, bars: [] }
  const results = await attempt('the search', async () => {
    const { sets } = await loadSets(data)
    if (sets.length === 0)
      throw new Error(`No set found in ${data}/retrieval. Pass the data folder with --data.`)
    return measureSpeed(data, sets)
  })
  const bars = checkSpeed(results ?? []).map(({ name, value, bound, met }) => {
    return { name: `search: ${name}`, wanted: `< ${bound}`, got: value.toFixed(2), met }
  })
  return { results, bars }
}

/** One measurement that fails does not stop the others. */
async function attempt<T>(what: string, measure: () => Promise<T>): Promise<T | undefined> {
  say(`measuring ${what}`)
  try {
    return await measure()
  } catch (error) {
    say(`could not measure ${what}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function parsePeer(text: string): Peer {
  const [, name, url, pid] = /^([^=]+)=(https?:\/\/.+),(\d+)$/.exec(text) ?? []
  if (name === undefined || url === undefined) throw new Error(`Use --peer NAME=URL,PID, not "${text}".`)
  return { name, url, pid: Number(pid) }
}

function say(text: string): void {
  process.stderr.write(`hintgate: ${text}\n`)
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`)
  return 0
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error))
  return 2
})
