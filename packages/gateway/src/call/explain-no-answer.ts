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
  /** True if the server might have executed the call. */
  readonly mayHaveRun: boolean
  /** The number of milliseconds until the gateway tries the server again, if that is known. */
  readonly retryInMs?: number | undefined
}

const TIMEOUT: Ending = {
  code: 'upstream_timeout',
  text: 'the server did not answer in time',
  mayHaveRun: true,
}

const OVERLOADED: Ending = {
  code: 'overloaded',
  text: 'too many calls are waiting for this server',
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
  // The detail can quote the server, so it is escaped: an agent must not take a quotation for the gateway's own words.
  return { code: CODES[kind], text: showUntrusted(detail, 300), mayHaveRun: !notSent, retryInMs }
}

/** Explains why a request has no answer, with one of the codes that agents know. */
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
 * Refuses a call while the server's circuit breaker is open, before a person is asked or an intent is recorded. The
 * refusal can quote the server's last failure.
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

/**
 * The failure of a call whose server used the gateway's name in its answer, which could be taken for the gateway's own
 * text.
 */
export const IMPERSONATION = {
  kind: 'failure',
  failure: {
    kind: 'protocol',
    detail: "the server used the gateway's name in a question or a refusal",
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
      : 'Check whether the call was executed before you repeat it.',
  }
}

/** Tells the caller when to try again. */
export function whenAgain({ retryInMs }: Pick<Ending, 'retryInMs'>): string {
  if (retryInMs === undefined) return 'try again in a moment'
  const seconds = Math.max(1, Math.ceil(retryInMs / 1000))
  return `the gateway tries the server again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}, so call again then`
}

const LONGEST = 300

/**
 * Describes a server's last failure to an agent. The text can come from the server, so it is withheld if the server
 * waits for review, and otherwise screened like a result. Operators find the whole text in the log.
 */
export function quoteFailure(
  server: UpstreamServer,
  { catalog, rules }: Pick<CallDeps, 'catalog' | 'rules'>,
): string | undefined {
  const { lastFailure } = server
  if (lastFailure === undefined || catalog.isWhollyHeld(server)) return undefined
  return screenQuote(lastFailure.detail, rules().results(server.name))
}

/** Returns a short text without control characters. Undefined if screening would withhold or mark any part of it. */
function screenQuote(text: string, rules: ResultRules): string | undefined {
  return screenText(showUntrusted(text, LONGEST), rules)
}

function screenText(text: string, rules: ResultRules): string | undefined {
  const checked = checkResult({ text }, { rules, isOpenWorld: true, misfit: undefined })
  if (checked.kind === 'clean') return text
  return checked.kind === 'changed' && checked.warning === undefined ? String(checked.result.text) : undefined
}

/** Screens a refusal that can quote the server. */
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

const HELD_BACK = "the gateway held back the server's text about the failure"
