import { APP_PAGE, UI_EXTENSION } from '../../protocol/apps.ts'
import { isInputRequired } from '../../protocol/eras.ts'
import { readsAs } from '../../protocol/field-path.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import type { AskAnswer, Reply, UpstreamRequest } from './upstream-request.ts'

/**
 * The roots that a server receives when it asks for them: those of the caller's client, or a list from the operator.
 * Some servers obey roots (server-filesystem then drops the folders in its own config), so `client` is allowed only on
 * a connection that a single caller uses.
 */
export type Roots = 'client' | readonly string[]

/** Apps are declared for every client, because a server is asked for its tools once for all of them. */
const ALWAYS = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  extensions: { [UI_EXTENSION]: { mimeTypes: [APP_PAGE] } },
}

/**
 * Returns the capabilities that the gateway declares to a server: everything that clients can support, and roots if
 * configured.
 */
export function capabilitiesWith(roots: Roots): Json {
  const offered = offerOf(roots)
  return offered === undefined ? ALWAYS : { roots: offered, ...ALWAYS }
}

export function offerOf(roots: Roots): Json | undefined {
  if (roots === 'client') return { listChanged: true }
  return roots.length === 0 ? undefined : {}
}

export function answerRoots(roots: readonly string[]): AskAnswer & { result: Json } {
  return { result: { roots: roots.map(uri => ({ uri })) } }
}

/**
 * If a modern server asks for nothing except roots, returns the request with the answer added. Otherwise returns
 * undefined.
 */
export function answeringRoots<R extends UpstreamRequest>(
  request: R,
  reply: Reply,
  roots: Roots,
): R | undefined {
  const result = reply.kind === 'answer' ? reply.message.result : undefined
  if (roots === 'client' || result === undefined || !isInputRequired(result)) return undefined
  const asked = Object.entries(isJsonObject(result.inputRequests) ? result.inputRequests : {})
  const isRoots = ([, ask]: (typeof asked)[number]) => isJsonObject(ask) && ask.method === 'roots/list'
  if (asked.length === 0 || !asked.every(isRoots)) return undefined
  const { requestState } = result
  const inputResponses = Object.fromEntries(asked.map(([key]) => [key, answerRoots(roots).result]))
  const { requestState: _before, ...params } = request.params ?? {}
  const again = { ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) }
  return { ...request, params: again }
}

/**
 * Replaces every response that looks like a list of roots, because the gateway cannot tell which question a response
 * belongs to.
 */
export function replaceRoots(responses: unknown, roots: readonly string[]): unknown {
  if (!isJsonObject(responses)) return responses
  const answers = Object.entries(responses).map(([key, answer]) => {
    if (!isJsonObject(answer)) return [key, answer] as const
    const others = Object.entries(answer).filter(([member]) => !readsAs(member, 'roots'))
    const isRoots = others.length < Object.keys(answer).length
    return [key, isRoots ? { ...Object.fromEntries(others), ...answerRoots(roots).result } : answer] as const
  })
  return Object.fromEntries(answers)
}
