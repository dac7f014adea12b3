import type { Attempt, ServerReply } from './attempt.ts'
import type { Remedy } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { UpstreamRequest } from './connection/upstream-request.ts'
import { type NoAnswer, type Retries, withoutToken } from './retries.ts'
import { withinTime } from './within-time.ts'

interface Sending<Request> {
  readonly request: Request
  send(request: Request): Promise<ServerReply>
  /** If absent, the request has no deadline and cannot be cancelled. */
  readonly attempt?: Attempt
  /** Makes the next attempt use a new session. Absent if the request is tied to one connection. */
  readonly openAgain?: () => void
  /** If the server asks only for roots that the operator configured, returns the request with the roots added. */
  answerRoots?(request: Request, reply: Answered): Request | undefined
  /** If absent, a lost request is not sent again. */
  readonly retries?: Retries | undefined
}

type Answered = Extract<ServerReply, { kind: 'answer' }>

/** How many times the gateway answers requests for roots. A server that still asks then will never answer the call. */
const MOST_ROOTS = 3

/**
 * The only place where a request is sent again. There are three reasons: the operator's config answers the server's
 * question; the server executed nothing and there is a remedy, where each remedy is tried once; or the request got lost
 * and the retry policy allows another attempt. The final reply says that the request may have been executed if that is
 * true of any attempt.
 */
export async function repeat<Request extends UpstreamRequest>(
  first: ServerReply,
  sending: Sending<Request>,
): Promise<ServerReply> {
  const { attempt, retries } = sending
  const applied = new Set<Remedy['kind']>()
  let { request } = sending
  let roots = 0
  for (let reply = first; ; reply = await sending.send(request)) {
    if (reply.kind === 'cancelled') return reply
    attempt?.startOver()
    if (reply.kind === 'answer') {
      const answered = roots < MOST_ROOTS ? sending.answerRoots?.(request, reply) : undefined
      if (answered === undefined) return reply
      roots += 1
      request = answered
      continue
    }
    const remedy = remedyOf(reply, sending)
    if (remedy !== undefined && !applied.has(remedy.kind)) {
      applied.add(remedy.kind)
      const ending = await apply(remedy, sending)
      if (ending?.kind === 'cancelled') return ending
      if (ending !== undefined) return retries?.worstWith(ending) ?? ending
    } else {
      if (retries === undefined) return reply
      if (!(await retries.allow(reply))) return retries.last ?? reply
      applied.clear()
      request = retries.isProgressShown ? withoutToken(sending.request) : sending.request
    }
    if (attempt?.isCancelled) return { kind: 'cancelled' }
  }
}

type RemedyDeps = Pick<Sending<UpstreamRequest>, 'attempt' | 'openAgain'>

function remedyOf(reply: NoAnswer, { openAgain }: RemedyDeps): Remedy | undefined {
  const remedy = reply.kind === 'failure' ? reply.failure.notExecuted : undefined
  return remedy?.kind === 'open-again' && openAgain === undefined ? undefined : remedy
}

/** Applies a remedy. If that fails, returns the final reply. */
async function apply(
  remedy: Remedy,
  { attempt, openAgain }: RemedyDeps,
): Promise<Exclude<NoAnswer, { kind: 'timeout' }> | undefined> {
  if (remedy.kind === 'open-again') {
    openAgain?.()
    return undefined
  }
  const renewing = remedy
    .renew()
    .then(failure => (failure === undefined ? undefined : ({ kind: 'failure', failure } as const)))
  return attempt === undefined ? renewing : withinTime(attempt, renewing)
}

/**
 * Sends one of the gateway's own requests over one connection. It takes no slot in the queue, because no caller waits
 * for it.
 */
export async function askOver(connection: Connection, request: UpstreamRequest): Promise<ServerReply> {
  const send = (again: UpstreamRequest): Promise<ServerReply> => connection.send(again).reply
  const reply = await send(request)
  return reply.kind === 'answer' ? reply : repeat(reply, { request, send })
}
