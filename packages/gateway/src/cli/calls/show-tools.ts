import { HINTS, SPEC_HINTS, showUntrusted } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { indent, showText, sourceName } from '../show/review-text.ts'
import { layTable, layTitled, showJson } from '../show/show-json.ts'
import type { Paint } from '../terminal/output.ts'

const SHORT = ['ro', 'destr', 'idem', 'open'] as const
const MARKS: Readonly<Record<string, string>> = { declared: '', inferred: '~', default: '?', override: '!' }
const LEGEND =
  'ro read-only, destr destructive, idem idempotent, open open-world, – false; ~ inferred, ? assumed, ! overridden'
const MAX_ID = 200
const MAX_LINE = 400

export function showList(tools: readonly Json[], paint: Paint): string {
  if (tools.length === 0) return 'No tools.\n'
  const rows = tools.map(readFacts).map(facts => {
    return [showUntrusted(facts.id, MAX_ID), facts.callWith, showHints(facts), showUntrusted(facts.title)]
  })
  const table = layTitled([['ID', 'CALL WITH', 'HINTS', 'TITLE'], ...rows], paint)
  return `${[...table, '', paint('dim', LEGEND)].join('\n')}\n`
}

/** `ro  –  idem~ open?`: one column for each hint, with a mark for its source. */
function showHints({ hints }: ToolFacts): string {
  return hints
    .map(({ value, source }, index) => {
      const short = SHORT[index] ?? ''
      return `${value ? short : '–'}${MARKS[source] ?? ''}`.padEnd(short.length + 1)
    })
    .join(' ')
    .trimEnd()
}

export function showFound(tools: readonly Json[], hint: unknown, paint: Paint): string {
  const found = tools.map((tool, index) => showMatch(tool, index + 1, paint))
  const note = typeof hint === 'string' ? `${paint('dim', showUntrusted(hint, MAX_LINE))}\n` : ''
  return tools.length === 0 ? `No tools found. ${note}` : [...found, note].filter(Boolean).join('\n')
}

function showMatch(tool: Json, rank: number, paint: Paint): string {
  const { id, callWith, score, title, description, signature } = readFacts(tool)
  const lines = [
    `${rank}. ${paint('bold', showUntrusted(id, MAX_ID))}  ${callWith}  ${paint('dim', `score ${score}`)}`,
    indent3([title, description].filter(Boolean).map(showText).join(': ')),
    indent3(paint('cyan', showUntrusted(signature, MAX_LINE * 2))),
    ...(tool.inputSchema === undefined ? [] : [indent3(showJson(tool.inputSchema).trimEnd())]),
  ]
  return `${lines.join('\n')}\n`
}

export function showTool(tool: Json, paint: Paint): string {
  const facts = readFacts(tool)
  const { id, title, description, hints } = facts
  const schemas = Object.entries({ 'input schema': tool.inputSchema, 'output schema': tool.outputSchema })
  const blocks = [
    `${paint('bold', showUntrusted(id, MAX_ID))}\n${showUntrusted(title, MAX_LINE)}`,
    ...(description === '' ? [] : [indent3(showText(description))]),
    layTable(factRows(facts)).join('\n'),
    `${paint('bold', 'hints')}\n${layTable(
      hints.map(({ label, value, source }) => ['', label, value ? 'yes' : 'no', sourceName(source)]),
    ).join('\n')}`,
    ...schemas
      .filter(([, schema]) => schema !== undefined)
      .map(([name, schema]) => `${paint('bold', name)}\n${indent3(showJson(schema).trimEnd())}`),
  ]
  return `${blocks.join('\n\n')}\n`
}

function factRows({ callWith, riskLevel, category, confirm, domains, signature }: ToolFacts): string[][] {
  return [
    ['call with', callWith],
    ['risk', `${riskLevel} (${category})`],
    ['confirm', confirm],
    ['domains', domains.length === 0 ? '–' : domains.map(domain => showUntrusted(domain)).join(', ')],
    ['signature', showUntrusted(signature, MAX_LINE * 2)],
  ]
}

const indent3 = (text: string): string => indent(text, '   ')

type ToolFacts = ReturnType<typeof readFacts>

/** Every field may come from a server and is untrusted. */
function readFacts(tool: Json) {
  const { annotations, sources, domains } = tool
  return {
    id: textOf(tool.id),
    title: textOf(tool.title),
    description: textOf(tool.description),
    signature: textOf(tool.signature),
    callWith: textOf(tool.call_with),
    riskLevel: textOf(tool.risk_level),
    category: textOf(tool.category),
    confirm: textOf(tool.confirm),
    score: textOf(tool.score),
    domains: Array.isArray(domains) ? domains.map(textOf) : [],
    // The four of the specification, in its order.
    hints: SPEC_HINTS.map(hint => {
      const { wire, label } = HINTS[hint]
      return {
        label,
        value: isJsonObject(annotations) && annotations[wire] === true,
        source: isJsonObject(sources) ? textOf(sources[wire]) : '',
      }
    }),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
