import { showUntrusted } from '@hintgate/metadata'
import { shorten, writeOut } from '../../approvals/shorten.ts'
import { readShown, type ShownRequest } from '../../approvals/shown-request.ts'
import type { StoredApproval } from '../../store/approval-store.ts'
import { layTable } from './lay-table.ts'

/** Among others. */
const MOST = 4000

/** One of several questions, for a person at a terminal; where it is too long for that, it says so. */
export function showApproval(approval: StoredApproval, now: number): string {
  return show(approval, now, MOST)
}

/** One question with everything in it. */
export function showWholeApproval(approval: StoredApproval, now: number): string {
  return show(approval, now, Number.POSITIVE_INFINITY)
}

/** Everything in it may come from a hostile server or agent. */
function show(
  { id, principal, tool, channel, expiresAt, shown }: StoredApproval,
  now: number,
  most: number,
): string {
  const request = readShown(shown)
  const minutes = Math.max(1, Math.ceil((expiresAt - now) / 60_000))
  const args = shorten(request.arguments, most)
  const others = request.others === undefined ? undefined : shorten(request.others, most)
  const isCut = args.isCut || others?.isCut === true
  const rows = [
    ...(isCut ? [['NOT ALL', `is shown here: see everything with hintgate approvals show ${id}`]] : []),
    ...(request.isCut ? [['NOT ALL', 'was kept: the answer is what counts of it']] : []),
    ['agent', showUntrusted(principal, 300)],
    ['tool', `${showUntrusted(tool, 160)}  (${request.variant.replace('call_tool_', '')})`],
    ['hints', hintsOf(request)],
    ['arguments', writeValue(args.value)],
    ...(others === undefined ? [] : [['besides', writeValue(others.value)]]),
    ...request.reasons.map(({ rule, text }) => ['because', `${showUntrusted(text, 400)}  [${rule}]`]),
    ...(request.session_risk.level === 'none' ? [] : [['risk', riskOf(request)]]),
    ...(request.preview === undefined ? [] : [['would do', request.preview]]),
    ...(request.remember.length === 0 ? [] : [['remember', request.remember.join(' or ')]]),
    ...(channel === 'person' ? [['who', 'somebody other than the caller has to decide']] : []),
    ['waits for', `${minutes} min`],
  ]
  const lines = layTable(rows).map(line => `  ${line}`)
  return `${id}  ${showUntrusted(request.action, 200)}\n${lines.join('\n')}\n`
}

function writeValue(value: unknown): string {
  return writeOut(JSON.stringify(value))
}

function hintsOf({ hints }: ShownRequest): string {
  const shown = Object.entries(hints).filter(([, { value }]) => value)
  return shown.map(([name, { source }]) => `${name} (${source})`).join(', ') || 'none'
}

function riskOf({ session_risk }: ShownRequest): string {
  const legs = session_risk.legs.map(
    ({ leg, tool, basis }) => `${leg} by ${showUntrusted(tool, 80)} (${basis})`,
  )
  return `${session_risk.level}: ${legs.join('; ')}`
}
