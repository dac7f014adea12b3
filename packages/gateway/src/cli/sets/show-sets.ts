import { showUntrusted } from '@hintgate/metadata'
import type { OverrideView, SetSummary, SetToolView, SetView } from '../../sets/describe-set.ts'
import type { SetProblem } from '../../sets/toolset.ts'
import { showPrint, showText } from '../show/review-text.ts'
import { layTable, layTitled } from '../show/show-json.ts'
import type { Paint } from '../terminal/output.ts'

const MAX_NAME = 120
const MAX_LINE = 300

export function showSets(sets: readonly SetSummary[], paint: Paint): string {
  if (sets.length === 0) return 'No toolsets. Add "toolsets" to the config; see docs/toolsets.md.\n'
  const rows = sets.map(({ name, surface, tools, held, path }) => [
    name,
    surface,
    String(tools),
    String(held),
    path,
  ])
  const table = layTitled([['SET', 'SURFACE', 'TOOLS', 'HELD', 'PATH'], ...rows], paint)
  return `${[...table, ...showProblems(sets.flatMap(({ problems }) => problems))].join('\n')}\n`
}

/** Shows what agents of a set see, next to the definitions that were reviewed. */
export function showSet(
  { name, path, surface, instructions, listed, problems }: SetView,
  paint: Paint,
): string {
  const head = [
    `${paint('bold', name)}  ${path}, ${surface}`,
    ...(instructions === undefined ? [] : [showText(instructions)]),
  ]
  const tools = listed.map(tool => showTool(tool, paint))
  const body = tools.length === 0 ? ['The set offers no tools.'] : tools
  return `${[head.join('\n'), ...body].join('\n\n')}\n${showProblems(problems).join('\n')}${problems.length > 0 ? '\n' : ''}`
}

function showTool(
  { name, id, title, description, call_with, pinned, override }: SetToolView,
  paint: Paint,
): string {
  const shown = [
    ['id', showUntrusted(id, MAX_NAME)],
    ['call with', call_with],
    ...beside('title', title, pinned.title),
    ...beside('description', description, pinned.description),
    ['pinned', showPrint(pinned.fingerprint)],
    ...(override === undefined ? [] : rowsOf(override)),
  ]
  const rows = layTable(shown.map(([key = '', value = '']) => [`  ${key}`, value]))
  return [paint('bold', showUntrusted(name, MAX_NAME)), ...rows].join('\n')
}

/** Shows one of the set's texts, and the reviewed one if it differs. */
function beside(what: string, shown: string, pinned: string): string[][] {
  const line = [what, showUntrusted(shown, MAX_LINE)]
  return shown === pinned ? [line] : [line, [`pinned ${what}`, showUntrusted(pinned, MAX_LINE)]]
}

function rowsOf(override: OverrideView): string[][] {
  const { fingerprint, author, written_for, arguments: fixed, hidden, hints, vouched, keep, query } = override
  const rows: (readonly [string, string | undefined])[] = [
    ['override', `${showPrint(fingerprint)} by ${showUntrusted(author, MAX_NAME)}`],
    ['written for', written_for && showPrint(written_for)],
    ['fixed', fixed && showUntrusted(JSON.stringify(fixed), MAX_LINE)],
    ['hidden', hidden?.map(one => showUntrusted(one, MAX_NAME)).join(', ')],
    ['hints', hints && `${JSON.stringify(hints)}${vouched === true ? ', vouched for' : ''}`],
    ['keeps', keep?.join(', ')],
    ['query', query],
    ['answer', override.answer === undefined ? undefined : `${override.answer} characters`],
  ]
  return rows.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
}

function showProblems(problems: readonly SetProblem[]): string[] {
  if (problems.length === 0) return []
  const lines = problems.map(({ set, tools, state, why }) => {
    const named = tools.map(one => showUntrusted(one, MAX_NAME)).join(', ')
    return `${state}  ${set}: ${named}: ${showUntrusted(why, MAX_LINE)}`
  })
  return ['', ...lines]
}
