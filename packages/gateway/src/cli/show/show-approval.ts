import { showUntrusted } from '@hintgate/metadata'
import { readShown, type ShownRequest } from '../../approvals/shown-request.ts'
import type { StoredApproval } from '../../store/approval-store.ts'
import { layTable } from './lay-table.ts'

/** As much as is kept of them. */
const MOST = 20_000

/** One question, for a person at a terminal. Everything in it may come from a hostile server or agent. */
export function showApproval(
  { id, principal, tool, channel, expiresAt, shown }: StoredApproval,
  now: number,
): string {
  const request = readShown(shown)
  const minutes = Math.max(1, Math.ceil((expiresAt - now) / 60_000))
  const rows = [
    ['agent', principal],
    ['tool', `${showUntrusted(tool, 160)}  (${request.variant.replace('call_tool_', '')})`],
    ['hints', hintsOf(request)],
    ['arguments', showUntrusted(JSON.stringify(request.arguments), MOST)],
    ...(request.others === undefined
      ? []
      : [['besides', showUntrusted(JSON.stringify(request.others), MOST)]]),
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
