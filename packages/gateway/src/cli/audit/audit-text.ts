import type { AuditCall } from '../../audit/view-call.ts'
import { writeJson, writeLines } from '../../protocol/parse-json.ts'
import { reveal, revealLine, revealName } from '../show/review-text.ts'
import { escapeUnits } from '../show/show-json.ts'
import type { Paint } from '../terminal/output.ts'

const COLOURS = { info: 'dim', notice: 'cyan', warning: 'yellow' } as const

export function showCall(call: AuditCall, paint: Paint): string {
  const { time, severity, agent, action, request } = call
  return [
    `${time.slice(0, 19)}Z`,
    paint(COLOURS[severity], severity.padEnd(7)),
    revealName(agent),
    revealLine(action, 200),
    showEnding(call, paint),
    paint('dim', revealName(request)),
  ].join('  ')
}

function showEnding({ verdict, outcome, code, ms }: AuditCall, paint: Paint): string {
  const how = code === undefined ? outcome : `${outcome} (${revealName(code)})`
  const text = [verdict ?? '–', '→', how, ...(ms === undefined ? [] : [`${Math.round(ms)} ms`])].join(' ')
  if (outcome === 'answered' || outcome === 'asked') return paint('green', text)
  return outcome === 'open' ? text : paint('red', text)
}

/** JSON on one line. Invisible, reordering and control characters become JSON escapes. */
export function showLine(value: object): string {
  return `${writeJson(value).replaceAll(HIDDEN, escapeUnits)}\n`
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu

export function showWhole(call: AuditCall, paint: Paint): string {
  const { args, reasons, origin, intent, hints, rows, approved, ...plain } = call
  const by = approved && { approved: `by ${approved.by} (${approved.via})` }
  const lines = Object.entries({ ...plain, ...by }).map(
    ([key, value]) => `${paint('bold', key.padEnd(12))}${revealLine(String(value))}`,
  )
  const hintLine = Object.entries(hints ?? {}).map(
    ([name, { value, source }]) => `${name} ${value} (${source})`,
  )
  if (hintLine.length > 0)
    lines.push(`${paint('bold', 'hints'.padEnd(12))}${revealLine(hintLine.join(', '))}`)
  for (const [key, value] of Object.entries({ intent, reasons, origin, args, rows }))
    if (value !== undefined) lines.push(paint('bold', key), reveal(writeLines(value, 2)))
  return `${lines.join('\n')}\n`
}
