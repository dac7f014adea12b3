import { showUntrusted } from '@hintgate/metadata'
import type { Failure } from '../upstream/channel.ts'
import type { ServerReply } from '../upstream/upstream-server.ts'
import type { Classified } from './classify.ts'
import type { Outcome, Refusal, RefusalCode } from './outcome.ts'

/** What a reply, or the lack of one, means for the caller. */
export function toOutcome(reply: ServerReply, classified: Classified): Outcome {
  switch (reply.kind) {
    case 'answer':
      return reply.message.error === undefined
        ? { kind: 'answered', result: reply.message.result ?? {} }
        : { kind: 'error', error: reply.message.error }
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'timeout':
      return refused(classified, TIMEOUT)
    case 'overloaded':
      return refused(classified, OVERLOADED)
    case 'failure':
      return refused(classified, explain(reply.failure))
  }
}

interface Ending {
  readonly code: RefusalCode
  readonly text: string
  /** Whether the server may have done what it was asked to. */
  readonly mayHaveRun: boolean
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
}

function explain({ kind, detail, notSent }: Failure): Ending {
  // The detail may quote the server, which an agent must not take for our words.
  return { code: CODES[kind], text: showUntrusted(detail, 300), mayHaveRun: !notSent }
}

function refused({ call, tool, variant }: Classified, { code, text, mayHaveRun }: Ending): Outcome {
  const isHarmless = !mayHaveRun || tool.assessment.effective.readOnly.value
  const refusal: Refusal = {
    code,
    message: `The server ${JSON.stringify(tool.server)} gave no answer to ${JSON.stringify(call.typed)}: ${text}.`,
    tool: call.typed,
    variant,
    verdict: 'failed',
    reasons: [{ rule: 'upstream', source: tool.server, text }],
    remedy: isHarmless
      ? 'Nothing was changed; try again in a moment.'
      : 'Whether it was executed is unknown: check before you repeat it.',
  }
  return { kind: 'refused', refusal }
}
