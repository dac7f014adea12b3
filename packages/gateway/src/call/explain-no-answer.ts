import { showUntrusted } from '@hintgate/metadata'
import type { RefusalCode } from '../exchange/outcome.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { Failure } from '../upstream/channel/channel.ts'

export interface Ending {
  readonly code: RefusalCode
  readonly text: string
  /** Whether the server may have done what it was asked to. */
  readonly mayHaveRun: boolean
  /** When the server is tried again, where that is laid down. */
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
  // The detail may quote the server, which an agent must not take for our words.
  return { code: CODES[kind], text: showUntrusted(detail, 300), mayHaveRun: !notSent, retryInMs }
}

/** Why a request got no answer, in one of the codes that agents know. */
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
