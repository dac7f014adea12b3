import { HINT_NAMES, HINTS, type HintName, RISK_HINTS, SPEC_HINTS, showUntrusted } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { indent, showText, sourceName } from '../show/review-text.ts'
import { layTable, layTitled, showJson } from '../show/show-json.ts'
import type { Paint } from '../terminal/output.ts'

const SHORT: Readonly<Record<HintName, string>> = {
  readOnly: 'ro',
  destructive: 'destr',
  idempotent: 'idem',
  openWorld: 'open',
  reversible: 'rev',
  egress: 'egr',
  sensitive: 'sens',
}
const MARKS: Readonly<Record<string, string>> = { declared: '', inferred: '~', default: '?', override: '!' }
const MAX_ID = 200
const MAX_LINE = 400

export function showList(tools: readonly Json[], paint: Paint): string {
  if (tools.length === 0) return 'No tools.\n'
  const rows = tools.map(readFacts).map(facts => {
    return [showUntrusted(facts.id, MAX_ID), facts.callWith, showHints(facts), showUntrusted(facts.title)]
  })
  const table = layTitled([['ID', 'CALL WITH', 'HINTS', 'TITLE'], ...rows], paint)
  return `${[...table, '', paint('dim', legendOf(tools.map(readFacts)))].join('\n')}\n`
}

/** Explains the columns of the specification's hints, and those of risk hints if there are any. */
function legendOf(tools: readonly ToolFacts[]): string {
  const shown = RISK_HINTS.filter(hint => tools.some(tool => isKnownRisk(tool, hint)))
  const names = [...SPEC_HINTS, ...shown].map(hint => `${SHORT[hint]} ${HINTS[hint].label}`)
  return `${names.join(', ')}, – false; ~ inferred, ? assumed, ! overridden`
}

function isKnownRisk({ hints }: ToolFacts, hint: HintName): boolean {
  return hints.some(({ name, source }) => name === hint && source !== 'default')
}

/**
 * Shows hints as in `ro – idem~ open?`: one column per hint, with a mark for its source. Assumed risk hints are left
 * out.
 */
function showHints(facts: ToolFacts): string {
  return facts.hints
    .map(({ name, isRisk, value, source }) => {
      const short = SHORT[name]
      const text = isRisk && source === 'default' ? '' : `${value ? short : '–'}${MARKS[source] ?? ''}`
      return text.padEnd(short.length + 1)
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

function factRows({
  callWith,
  riskLevel,
  category,
  consequence,
  inferred,
  confirm,
  domains,
  signature,
}: ToolFacts): string[][] {
  return [
    ['call with', callWith],
    ['risk', `${riskLevel} (${category}${inferred === '' ? '' : `; its words suggest ${inferred}`})`],
    ['leads to', showUntrusted(consequence, MAX_LINE)],
    ['confirm', confirm],
    ['domains', domains.length === 0 ? '–' : domains.map(domain => showUntrusted(domain)).join(', ')],
    ['signature', showUntrusted(signature, MAX_LINE * 2)],
  ]
}

const indent3 = (text: string): string => indent(text, '   ')

type ToolFacts = ReturnType<typeof readFacts>

/** Reads what is shown of a tool. Every field can come from a server, so all are untrusted. */
function readFacts(tool: Json) {
  const { domains } = tool
  return {
    id: textOf(tool.id),
    title: textOf(tool.title),
    description: textOf(tool.description),
    signature: textOf(tool.signature),
    callWith: textOf(tool.call_with),
    riskLevel: textOf(tool.risk_level),
    category: textOf(tool.category),
    consequence: readConsequence(tool.consequence),
    inferred: isJsonObject(tool.inferred_category) ? textOf(tool.inferred_category.category) : '',
    confirm: textOf(tool.confirm),
    score: textOf(tool.score),
    domains: Array.isArray(domains) ? domains.map(textOf) : [],
    hints: HINT_NAMES.map(name => readHint(tool, name)),
  }
}

/** Reads a hint. A risk hint that is not reported is undeclared, so its strict value is assumed. */
function readHint({ annotations, risk_hints, sources }: Json, name: HintName) {
  const { wire, label, strict } = HINTS[name]
  const isRisk = RISK_HINTS.some(hint => hint === name)
  const values = isRisk ? risk_hints : annotations
  const source = isJsonObject(sources) ? textOf(sources[wire]) : ''
  const isAssumed = isRisk && source === ''
  return {
    name,
    label,
    isRisk,
    value: isAssumed ? strict : isJsonObject(values) && values[wire] === true,
    source: isAssumed ? 'default' : source,
  }
}

/** Describes consequences, as in `communicate, pay (inferred from "send", "email"); targets: to, cc`. */
function readConsequence(value: unknown): string {
  if (!isJsonObject(value)) return ''
  const [kinds, targets, evidence] = [value.kinds, value.targets, value.evidence].map(list =>
    Array.isArray(list) ? list.map(textOf) : [],
  )
  if (kinds === undefined || kinds.length === 0) return 'none known'
  const words = (evidence ?? []).map(word => JSON.stringify(word)).join(', ')
  const from = words === '' ? textOf(value.source) : `${textOf(value.source)} from ${words}`
  return `${kinds.join(', ')} (${from})${targets?.length ? `; targets: ${targets.join(', ')}` : ''}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
