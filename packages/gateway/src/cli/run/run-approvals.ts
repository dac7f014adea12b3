import { setTimeout as sleep } from 'node:timers/promises'
import { showUntrusted } from '@hintgate/metadata'
import { currentState } from '../../approvals/current-state.ts'
import { shorten, writeOut } from '../../approvals/shorten.ts'
import { readShown, type ShownOrigin, type ShownRequest, showMoment } from '../../approvals/shown-request.ts'
import { HintgateError } from '../../base/errors.ts'
import { parseDuration, parseMoment } from '../../base/measures.ts'
import { REMEMBER, type Remember } from '../../policy/rules.ts'
import type { ApprovalDecision, StoredApproval } from '../../store/approval-store.ts'
import { endWith, readReviewer } from '../client/review-context.ts'
import { layTable, showJson } from '../show/show-json.ts'
import { type CommonFlags, invalidFlag, withDecisions } from '../terminal/context.ts'
import { type Ending, stopSignal, write } from '../terminal/output.ts'
import { withGrants } from './with-grants.ts'

interface DecideFlags extends CommonFlags {
  readonly by?: string
  readonly note?: string
  readonly remember?: string
  readonly for?: string
  readonly until?: string
}

export function list({ json, ...flags }: CommonFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    const now = Date.now()
    const waiting = (await store.approvals.list({ now, states: ['pending'] })).toReversed()
    if (json) return { out: showJson(waiting.map(describe)) }
    if (waiting.length === 0) return { out: 'No calls wait for approval.\n' }
    return { out: waiting.map(approval => showApproval(approval, now)).join('\n') }
  })
}

/** Shows an approval with the whole call, however long it is, with secrets masked. */
export function show(id: string, { json, ...flags }: CommonFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    const found = await store.approvals.find(id)
    if (found === undefined) throw new HintgateError('approval_unknown', { id })
    return {
      out: json ? showJson(describe(found)) : showApproval(found, Date.now(), Number.POSITIVE_INFINITY),
    }
  })
}

export function decide(
  verdict: 'approved' | 'denied',
  id: string,
  { by: given, note, remember, for: duration, until, json, ...flags }: DecideFlags,
): Promise<Ending> {
  const forMs = readDuration({ remember, duration, until }, Date.now())
  return withGrants(flags, async approvals => {
    const by = readReviewer(given)
    if (typeof by !== 'string') return endWith(by)
    const lasting = { remember: readRemember(remember), forMs, mayGrantRule: true }
    const answer = { verdict, by: `person:${by}`, via: 'cli', note, ...lasting }
    const decided = await approvals.decide(id, answer)
    const votes = decided.state === 'pending' ? await approvals.votes(id) : []
    return { out: json ? showJson(describe(decided)) : `${sayDecided(decided, votes.length)}\n` }
  })
}

function sayDecided({ id, tool, state, expiresAt, shown }: StoredApproval, votes: number): string {
  const what = `${id}: ${showUntrusted(tool, 200)}.`
  if (state === 'pending')
    return `${what} Your approval was counted: ${votes} of ${readShown(shown).approvers ?? 1}. The call still waits for other people's approval.`
  if (state === 'approved') return `Approved ${what}`
  return `Denied ${what} If the call is repeated, it is refused until ${showMoment(expiresAt)}.`
}

interface Lasting {
  readonly remember: string | undefined
  readonly duration: string | undefined
  readonly until: string | undefined
}

/** Reads how long the answer covers further calls; undefined for the usual hour. */
function readDuration({ remember, duration, until }: Lasting, now: number): number | undefined {
  if (duration === undefined && until === undefined) return undefined
  const flag = duration === undefined ? '--until' : '--for'
  if (remember === undefined) throw invalidFlag(flag, 'use it together with --remember')
  if (duration !== undefined && until !== undefined)
    throw invalidFlag('--for', 'give either --for or --until')
  const forMs =
    duration === undefined ? (parseMoment(until ?? '') ?? Number.NaN) - now : parseDuration(duration)
  if (forMs === undefined || Number.isNaN(forMs) || forMs <= 0)
    throw invalidFlag(
      flag,
      flag === '--for' ? 'expected a duration such as 1d' : 'expected a day or a time in the future',
    )
  return forMs
}

function readRemember(given: string | undefined): Remember | undefined {
  const known = REMEMBER.find(one => one === given)
  if (given === undefined || known !== undefined) return known
  throw invalidFlag('--remember', `expected ${REMEMBER.join(', ')}`)
}

export function watch({ json, ...flags }: CommonFlags): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    const seen = new Map<string, StoredApproval['state']>()
    const look = async (): Promise<void> => {
      const now = Date.now()
      const all = await store.approvals.list({ now, states: ['pending', 'approved', 'denied', 'spent'] })
      for (const approval of all.toReversed()) {
        const before = seen.get(approval.id)
        if (before === approval.state || (before === undefined && approval.state !== 'pending')) continue
        seen.set(approval.id, approval.state)
        if (json) await write(`${JSON.stringify(describe(approval))}\n`)
        else if (before === undefined) await write(`${showApproval(approval, now)}\n`)
        else await write(`${approval.id} is ${approval.state}\n`)
      }
    }
    let looking = look()
    const stopListening = store.onChange(() => {
      looking = looking.then(look)
    })
    // The loop below keeps the process alive. The store's timer would not.
    const stop = stopSignal()
    while (!stop.aborted) await sleep(60_000, undefined, { signal: stop }).catch(() => {})
    stopListening()
    await looking
  })
}

function describe({ id, principal, session, tool, channel, state, ...rest }: StoredApproval) {
  const { standing: _, ...shown } = readShown(rest.shown)
  const [created, expires] = [rest.createdAt, rest.expiresAt].map(at => new Date(at).toISOString())
  const { decision } = rest
  const now = Date.now()
  return {
    ...{ id, state: currentState({ state, expiresAt: rest.expiresAt }, now), principal, session, tool },
    ...{ channel, created, expires, decision, request: shown },
  }
}

/** Maximum number of characters of arguments in a list of approvals. */
const MOST = 4000

/**
 * Shows an approval on a terminal, with a note if the call was cut. Everything in the call can come from a hostile
 * server or agent.
 */
export function showApproval(approval: StoredApproval, now: number, most = MOST): string {
  const { id, principal, tool, channel, shown } = approval
  const request = readShown(shown)
  const args = shorten(request.arguments, most)
  const others = request.others === undefined ? undefined : shorten(request.others, most)
  const isCut = args.isCut || others?.isCut === true
  const rows = [
    ...(isCut ? [['INCOMPLETE', `shortened; see the whole call with hintgate approvals show ${id}`]] : []),
    ...(request.isCut
      ? [['INCOMPLETE', 'the store kept only part of the call, but the approval covers the whole call']]
      : []),
    ['agent', showUntrusted(principal, 300)],
    ['tool', `${showUntrusted(tool, 160)}  (${request.variant.replace('call_tool_', '')})`],
    ['hints', hintsOf(request)],
    ['arguments', writeValue(args.value)],
    ...(others === undefined ? [] : [['also sent', writeValue(others.value)]]),
    ...request.reasons.map(({ rule, text }) => ['reason', `${showUntrusted(text, 400)}  [${rule}]`]),
    ...(request.session_risk.level === 'none' ? [] : [['risk', riskOf(request)]]),
    ...(request.origin === undefined ? [] : [['origin', originOf(request.origin)]]),
    ...(request.preview === undefined ? [] : [['preview', request.preview]]),
    ...(request.remember.length === 0 ? [] : [['remember', request.remember.join(' or ')]]),
    ...(request.approvers === undefined
      ? []
      : [['approvers', `${request.approvers} different people must approve`]]),
    ...(channel === 'person' ? [['approver', 'must not be the caller']] : []),
    ...stateRows(approval, now),
  ]
  const lines = layTable(rows).map(line => `  ${line}`)
  return `${id}  ${showUntrusted(request.action, 200)}\n${lines.join('\n')}\n`
}

/** Returns the rows about an approval's state. Only a pending approval has a row for the time left. */
function stateRows(approval: StoredApproval, now: number): string[][] {
  const { decision, expiresAt } = approval
  const state = currentState(approval, now)
  const minutes = Math.max(1, Math.ceil((expiresAt - now) / 60_000))
  const until = showMoment(expiresAt)
  const meaning: Record<typeof state, string> = {
    pending: 'waits for an answer',
    approved: `approved, for one call until ${until}`,
    denied: `denied until ${until}`,
    spent: 'approved, and used by a call',
    standing: `approved for more than one call, until ${until}`,
    revoked: `approved for more than one call, and revoked by ${showUntrusted(approval.revokedBy ?? '', 300)}`,
    expired:
      decision === undefined ? `expired without an answer at ${until}` : `approved, not used by ${until}`,
  }
  return [
    ['state', meaning[state]],
    ...(decision === undefined ? [] : [['answered', answerOf(decision)]]),
    ...(state === 'pending' ? [['expires in', `${minutes} min`]] : []),
  ]
}

function answerOf({ by, via, at, note }: ApprovalDecision): string {
  const said = note === undefined ? '' : `: ${showUntrusted(note, 400)}`
  return `by ${showUntrusted(by, 300)} via ${via} at ${showMoment(at)}${said}`
}

function writeValue(value: unknown): string {
  return writeOut(JSON.stringify(value))
}

function hintsOf({ hints }: ShownRequest): string {
  const shown = Object.entries(hints).filter(([, { value }]) => value)
  return shown.map(([name, { source }]) => `${name} (${source})`).join(', ') || 'none'
}

function originOf({ argument, server, tool, passage }: ShownOrigin): string {
  const what = argument === '' ? '' : `${showUntrusted(argument, 80)} from `
  return `${what}a result of ${showUntrusted(`${server}:${tool}`, 120)}: "${showUntrusted(passage, 240)}"`
}

function riskOf({ session_risk }: ShownRequest): string {
  const riskFactors = session_risk.riskFactors.map(
    ({ factor, tool, basis }) => `${factor} by ${showUntrusted(tool, 80)} (${basis})`,
  )
  return `${session_risk.level}: ${riskFactors.join('; ')}`
}
