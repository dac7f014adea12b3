import { showUntrusted } from '@hintgate/metadata'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Refusal, RefusalCode } from '../exchange/outcome.ts'
import type { ResultRules, Rules } from '../policy/rules.ts'
import { checkResult } from '../results/check-result.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { Failure } from '../upstream/channel/channel.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'

export interface Ending {
  readonly code: RefusalCode
  readonly text: string
  /** Whether the server may have executed the call. */
  readonly mayHaveRun: boolean
  /** When the gateway tries the server again, if that is known. */
  readonly retryInMs?: number | undefined
}

const TIMEOUT: Ending = { code: 'upstream_timeout', text: 'it did not answer in time', mayHaveRun: true }

const OVERLOADED: Ending = {
  code: 'overloaded',
  text: 'too many calls are waiting for it',
  mayHaveRun: false,
}

const CODES: Readonly<Record<Failure['kind'], RefusalCode>> = {
  unavailable: 'upstream_unavailable',
  'session-lost': 'upstream_unavailable',
  unauthorized: 'upstream_unavailable',
  protocol: 'upstream_protocol',
  'too-large': 'result_too_large',
  quarantined: 'quarantined',
}

function explain({ kind, detail, notSent, retryInMs }: Failure): Ending {
  // The detail may quote the server, and an agent must not take that for the gateway's words.
  return { code: CODES[kind], text: showUntrusted(detail, 300), mayHaveRun: !notSent, retryInMs }
}

/** Why a request has no answer, as one of the codes that agents know. */
export function explainNoAnswer(reply: Exclude<ServerReply, { kind: 'answer' | 'cancelled' }>): Ending {
  switch (reply.kind) {
    case 'timeout':
      return TIMEOUT
    case 'overloaded':
      return reply.why === undefined ? OVERLOADED : { ...OVERLOADED, text: reply.why }
    case 'failure':
      return explain(reply.failure)
  }
}

/**
 * Refuses a call while the server's circuit breaker is open, before any person is asked or an intent is recorded. The
 * refusal may quote the server's last failure.
 */
export function refuseWhileBreakerOpen(
  classified: Classified,
  { name, refusal: failure }: UpstreamServer,
  rules: Rules,
): Refusal | undefined {
  if (failure === undefined) return undefined
  return screenRefusal(
    refusalOf(classified, explainNoAnswer({ kind: 'failure', failure }), 0),
    rules.results(name),
  )
}

/** The server used the gateway's name, so its text could pass for the gateway's. */
export const IMPERSONATION = {
  kind: 'failure',
  failure: {
    kind: 'protocol',
    detail: 'the server used the name of the gateway in a question or a refusal',
    notSent: false,
  },
} as const satisfies ServerReply

export function refusalOf({ call, tool, variant }: Classified, ending: Ending, attempts: number): Refusal {
  const { code, text, mayHaveRun } = ending
  const isHarmless = !mayHaveRun || tool.assessment.effective.readOnly.value
  const tried = attempts > 1 ? ` in ${attempts} attempts` : ''
  return {
    code,
    message: `The server ${JSON.stringify(tool.server)} gave no answer to ${JSON.stringify(call.typed)}${tried}: ${text}.`,
    tool: call.typed,
    variant,
    verdict: 'failed',
    reasons: [{ rule: 'upstream', source: tool.server, text }],
    remedy: isHarmless
      ? `Nothing was changed; ${whenAgain(ending)}.`
      : 'Check whether it was executed before you repeat it.',
  }
}

/** When to try again, for a caller that can wait. */
export function whenAgain({ retryInMs }: Pick<Ending, 'retryInMs'>): string {
  if (retryInMs === undefined) return 'try again in a moment'
  const seconds = Math.max(1, Math.ceil(retryInMs / 1000))
  return `the gateway tries the server again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}, so call again then`
}

const LONGEST = 300

/**
 * Why a server last failed, as far as agents may see it. The text may come from the server: it is withheld for a server
 * that waits for review, and otherwise screened like a result. The log has all of it for operators.
 */
export function quoteFailure(
  server: UpstreamServer,
  { catalog, rules }: Pick<CallDeps, 'catalog' | 'rules'>,
): string | undefined {
  const { lastFailure } = server
  if (lastFailure === undefined || catalog.isWhollyHeld(server)) return undefined
  return screenQuote(lastFailure.detail, rules().results(server.name))
}

/** Short, and without control characters; undefined if a part of it is held back or marked. */
function screenQuote(text: string, rules: ResultRules): string | undefined {
  return screenText(showUntrusted(text, LONGEST), rules)
}

function screenText(text: string, rules: ResultRules): string | undefined {
  const checked = checkResult({ text }, { rules, isOpenWorld: true, misfit: undefined })
  if (checked.kind === 'clean') return text
  return checked.kind === 'changed' && checked.warning === undefined ? String(checked.result.text) : undefined
}

/** A refusal that may quote the server, as far as agents may see it. */
export function screenRefusal(refusal: Refusal, rules: ResultRules): Refusal {
  const message = screenText(refusal.message, rules)
  const reasons = refusal.reasons.flatMap(reason => {
    const text = screenText(reason.text, rules)
    return text === undefined ? [] : [{ ...reason, text }]
  })
  if (message !== undefined && reasons.length === refusal.reasons.length)
    return { ...refusal, message, reasons }
  const bare = refusal.reasons.map(reason => ({ ...reason, text: HELD_BACK }))
  return { ...refusal, message: `The server gave no answer; ${HELD_BACK}.`, reasons: bare }
}

const HELD_BACK = 'the gateway held back the text of the server about its failure'
