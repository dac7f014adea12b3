import { readFile, writeFile } from 'node:fs/promises'
import type { EvalContext } from '../evaluation.ts'
import { ATTACKERS, type Attacker, adaptAttack } from './adapt-attack.ts'
import { barOfMemory, checkBars } from './bars.ts'
import { loadSuites, type ReplayedCase, type Suite } from './load-suites.ts'
import { measureMemory } from './measure-memory.ts'
import type { Played } from './play-case.ts'
import { playSuite, type Series } from './play-suite.ts'
import { reportHijack } from './report.ts'
import { FORMS, type Form, rewriteAttack } from './rewrite-attack.ts'
import { type Cell, scoreRuns } from './score.ts'

/** Settings of the gateway that show what the data themselves allow. */
const CONTROLS: Readonly<Record<string, object>> = {
  'allow all': { confirm: { provenance: 'off', trifecta: 'off', destructive: 'never' } },
  'ask every write': {
    confirm: { provenance: 'off', trifecta: 'off', write: 'always', destructive: 'always' },
  },
}

type Kind = Pick<Cell, 'table' | 'name'>

/** Replays recorded runs through a real gateway. Answers with the process's exit code. */
export async function runHijack(context: EvalContext): Promise<number> {
  const suites = await loadSuites(context.dataFolder, context.suite)
  if (suites.length === 0) {
    context.complain(`No suites in ${context.dataFolder}/hijack. Name another folder with --data DIR.`)
    return 2
  }
  const forms = formsOf(context.forms)
  if (typeof forms === 'string') {
    context.complain(forms)
    return 2
  }
  const config = await readConfig(context.config)
  const cells: Cell[] = []
  const startedAt = context.now()
  for (const suite of suites) {
    const note = ({ table, name }: Kind, runs: readonly Played[]): void => {
      cells.push({ suite: suite.name, table, name, runs, score: scoreRuns(suite.name, runs) })
      const seconds = ((context.now() - startedAt) / 1000).toFixed(0)
      context.complain(`${seconds} s: ${suite.name}, ${table} ${name}: ${runs.length} runs`)
    }
    const series = seriesOf(suite, forms, context.sample)
    await playSuite(suite, { config, series, onPlayed: (one, runs) => note(one as Series & Kind, runs) })
    for (const [name, control] of Object.entries(CONTROLS)) {
      const all: Series = { name, cases: suite.cases, statesTask: false }
      await playSuite(suite, {
        config: control,
        series: [all],
        onPlayed: (_, runs) => note({ table: 'control', name }, runs),
      })
    }
  }
  const bars = [...checkBars(cells), barOfMemory(await measureMemory(suites))]
  const json = JSON.stringify({ cells: cells.map(({ runs: _runs, ...rest }) => rest), bars }, undefined, 2)
  if (context.save !== undefined) await writeFile(context.save, `${json}\n`)
  context.print(context.json ? json : reportHijack(cells, { bars, lists: context.misses }))
  return context.enforceBars && bars.some(({ met }) => !met) ? 1 : 0
}

function seriesOf({ cases, tools }: Suite, forms: readonly Form[], most?: number): (Series & Kind)[] {
  const hijacked = evenly(
    cases.filter(({ kind }) => kind === 'hijacked'),
    most,
  )
  const prompted = cases.filter(({ prompt }) => typeof prompt === 'string' && prompt !== '')
  const inForm = (form: Form): Series & Kind => ({
    table: 'form',
    name: form,
    cases: hijacked.map(one => withForm(one, form)),
    statesTask: false,
  })
  const by = (name: Attacker): Series & Kind => ({
    table: 'adaptive',
    name,
    cases: hijacked.flatMap(one => adaptAttack(one, name, tools) ?? []),
    statesTask: false,
  })
  return [
    { table: 'recorded', name: 'recorded', cases, statesTask: false },
    ...forms.map(inForm),
    ...(Object.keys(ATTACKERS) as Attacker[]).map(by),
    ...(prompted.length === 0
      ? []
      : [{ table: 'contract', name: 'contract', cases: prompted, statesTask: true } as const]),
  ]
}

/** Some of them, from everywhere among them: neighbours are often the same attack on another task. */
export function evenly<T>(all: readonly T[], most = all.length): readonly T[] {
  if (most >= all.length) return all
  return all.filter(
    (_, at) => Math.floor(((at + 1) * most) / all.length) > Math.floor((at * most) / all.length),
  )
}

function withForm(one: ReplayedCase, form: Form): ReplayedCase {
  return {
    ...one,
    steps: one.steps.map(step => ({ ...step, result: rewriteAttack(step.result, form) })),
  }
}

/** The chosen forms, or what is wrong with the choice. */
function formsOf(chosen: string | undefined): readonly Form[] | string {
  const known = (Object.keys(FORMS) as Form[]).filter(form => form !== 'recorded')
  if (chosen === undefined) return known
  if (chosen === '' || chosen === 'none') return []
  const names = chosen.split(',').map(name => name.trim())
  const unknown = names.find(name => !known.some(form => form === name))
  return unknown === undefined
    ? (names as Form[])
    : `Unknown form "${unknown}". Choose from: ${known.join(', ')}, or "none".`
}

async function readConfig(file: string | undefined): Promise<object> {
  return file === undefined ? {} : (JSON.parse(await readFile(file, 'utf8')) as object)
}
