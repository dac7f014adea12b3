import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Gateway } from '../performance/start-gateway.ts'
import type { ReplayedCase, Suite } from './load-suites.ts'
import { playSuite } from './play-suite.ts'

/** How often each task comes up in the month: once a week. */
const WEEKS = 4
const BIN = new URL('../../../packages/gateway/bin/hintgate.js', import.meta.url)

export interface Evidence {
  /** The honest runs whose questions are recorded. */
  readonly honest: readonly ReplayedCase[]
  /** The hijacked runs that the suggestions are tried against. */
  readonly hijacked: readonly ReplayedCase[]
  readonly min: number
}

export interface Rules {
  /** The policy file; undefined if nothing was suggested. */
  readonly file: string | undefined
  readonly count: number
  /** Questions in the month, and how many the rules would have removed by the product's own account. */
  readonly asked: number
  readonly claimed: number
}

interface Suggested {
  readonly asked: number
  readonly removed: number
  readonly suggestions: readonly unknown[]
}

/**
 * Plays the honest runs as often as they come up in a month, each time by another agent in another session, and accepts
 * every rule that `hintgate policy suggest` finds in the log. The clock is not moved: the log has four weeks' work of
 * one day.
 */
export async function suggestRules(suite: Suite, { honest, hijacked, min }: Evidence): Promise<Rules> {
  const folder = await mkdtemp(join(tmpdir(), 'hintgate-suggest-'))
  const month = Array.from({ length: WEEKS }, () => honest).flat()
  let rules: Rules | undefined
  await playSuite(suite, {
    config: {},
    series: [{ name: 'month', cases: month, statesTask: false }],
    onPlayed: () => {},
    onEnd: async gateway => {
      rules = await acceptAll(gateway, { folder, min, hijacks: await writeHijacks(folder, suite, hijacked) })
    },
  })
  // The policy file stays: its path is in the results.
  await rm(join(folder, 'hijacks'), { recursive: true, force: true })
  if (rules === undefined) throw new Error('the month was not played')
  return rules
}

async function writeHijacks(
  folder: string,
  { name, tools }: Suite,
  cases: readonly ReplayedCase[],
): Promise<string | undefined> {
  if (cases.length === 0) return undefined
  const place = join(folder, 'hijacks', name)
  await mkdir(place, { recursive: true })
  const toLines = (rows: readonly object[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')
  await writeFile(join(place, 'tools.jsonl'), toLines(tools))
  const rows = cases.map(({ id, kind, steps }) => {
    return {
      id,
      kind,
      steps: steps.map(({ tool, args, isAttacker }) => ({
        tool,
        args,
        by: isAttacker ? 'attacker' : 'user',
      })),
    }
  })
  await writeFile(join(place, 'cases.jsonl'), toLines(rows))
  return join(folder, 'hijacks')
}

interface Accepting {
  readonly folder: string
  readonly min: number
  readonly hijacks: string | undefined
}

async function acceptAll(gateway: Gateway, { folder, min, hijacks }: Accepting): Promise<Rules> {
  const file = join(folder, 'accepted.yaml')
  const args = ['policy', 'suggest', '--json', '--min', String(min), ...gateway.place]
  const replayed = hijacks === undefined ? [] : ['--hijacks', hijacks]
  const run = async (more: readonly string[]): Promise<string> =>
    (
      await promisify(execFile)(process.execPath, [BIN.pathname, ...args, ...replayed, ...more], {
        maxBuffer: 2 ** 26,
      })
    ).stdout
  const { asked, removed, suggestions } = JSON.parse(await run([])) as Suggested
  if (suggestions.length === 0) return { file: undefined, count: 0, asked, claimed: 0 }
  await run(['--accept', 'all', '--author', 'evaluation', '--expires', '30d', '--out', file])
  await readFile(file)
  return { file, count: suggestions.length, asked, claimed: removed }
}
