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

function showEnding(call: AuditCall, paint: Paint): string {
  const { verdict, outcome, code, ms, repeats, findings } = call
  const times = repeats === undefined ? '' : `, ${repeats} more ${repeats === 1 ? 'time' : 'times'}`
  const how = code === undefined ? `${outcome}${times}` : `${outcome} (${revealName(code)}${times})`
  const kinds = new Set(findings?.map(({ kind }) => kind))
  const found = kinds.size === 0 ? [] : [`(found ${revealName([...kinds].join(', '))})`]
  const took = ms === undefined ? [] : [`${Math.round(ms)} ms`]
  const text = [verdict ?? '–', '→', how, ...took, ...found].join(' ')
  if (outcome === 'answered' || outcome === 'asked') return paint('green', text)
  return outcome === 'open' ? text : paint('red', text)
}

/**
 * Writes JSON on one line. Invisible characters, control characters and those that reorder text become JSON escapes.
 */
export function showLine(value: object): string {
  return `${writeJson(value).replaceAll(HIDDEN, escapeUnits)}\n`
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu

function sayApprover({ by, via, at, note }: NonNullable<AuditCall['approver']>): string {
  return `${by} via ${via} at ${at}${note === undefined ? '' : `: ${note}`}`
}

export function showWhole(call: AuditCall, paint: Paint): string {
  const { args, reasons, origin, findings, approver, intent, hints, rows, ...plain } = call
  const lines = Object.entries(plain).map(
    ([key, value]) => `${paint('bold', key.padEnd(12))}${revealLine(String(value))}`,
  )
  if (approver !== undefined)
    lines.push(`${paint('bold', 'approver'.padEnd(12))}${revealLine(sayApprover(approver))}`)
  const hintLine = Object.entries(hints ?? {}).map(
    ([name, { value, source }]) => `${name} ${value} (${source})`,
  )
  if (hintLine.length > 0)
    lines.push(`${paint('bold', 'hints'.padEnd(12))}${revealLine(hintLine.join(', '))}`)
  for (const [key, value] of Object.entries({ intent, reasons, origin, findings, args, rows }))
    if (value !== undefined) lines.push(paint('bold', key), reveal(writeLines(value, 2)))
  return `${lines.join('\n')}\n`
}
