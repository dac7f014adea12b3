import { isInputRequired } from '../../protocol/eras.ts'
import { foldKey } from '../../protocol/field-path.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { type Envelope, META } from '../../protocol/modern.ts'
import type { AskAnswer, Reply, UpstreamRequest } from './upstream-request.ts'

/**
 * What a server hears when it asks for roots. Servers take them as an order: server-filesystem forgets the folders that
 * its operator gave it. So an operator says what they are; `client` is for a connection that one caller has to itself.
 */
export type Roots = 'client' | readonly string[]

const ALWAYS = { sampling: {}, elicitation: { form: {}, url: {} } }

/** What we can do for a server: whatever the client behind a call can, but for roots. */
export function capabilitiesWith(roots: Roots): Json {
  const offered = offerOf(roots)
  return offered === undefined ? ALWAYS : { roots: offered, ...ALWAYS }
}

function offerOf(roots: Roots): Json | undefined {
  if (roots === 'client') return { listChanged: true }
  return roots.length === 0 ? undefined : {}
}

export function answerRoots(roots: readonly string[]): AskAnswer & { result: Json } {
  return { result: { roots: roots.map(uri => ({ uri })) } }
}

/** A request to a modern server, on which its caller says nothing of roots that the operator does not. */
export function withRoots<R extends UpstreamRequest>(request: R, roots: Roots): R {
  if (roots === 'client') return request
  const { params, envelope } = request
  const capabilities = restate(envelope.capabilities, roots)
  const changed = params === undefined ? undefined : withoutSaid(params, roots)
  if (capabilities === envelope.capabilities && changed === params) return request
  const restated: Envelope = { ...envelope, capabilities }
  return { ...request, envelope: restated, params: changed }
}

function restate(capabilities: Json, roots: readonly string[]): Json {
  if (capabilities.roots === undefined && roots.length === 0) return capabilities
  const { roots: _said, ...rest } = capabilities
  const offered = offerOf(roots)
  return offered === undefined ? rest : { roots: offered, ...rest }
}

function withoutSaid(params: Json, roots: readonly string[]): Json {
  const meta = params._meta
  const declared = isJsonObject(meta) ? meta[META.clientCapabilities] : undefined
  const capabilities = isJsonObject(declared) ? restate(declared, roots) : declared
  const kept =
    isJsonObject(meta) && capabilities !== declared
      ? { ...params, _meta: { ...meta, [META.clientCapabilities]: capabilities } }
      : params
  let answered: [string, unknown][] | undefined
  for (const key in kept) {
    if (!reads(key, 'inputresponses')) continue
    answered ??= []
    answered.push([key, replaceRoots(kept[key], roots)])
  }
  return answered === undefined ? kept : { ...kept, ...Object.fromEntries(answered) }
}

/** Which question an answer belongs to stands in the server's state, so what looks like roots is taken for roots. */
function replaceRoots(responses: unknown, roots: readonly string[]): unknown {
  if (!isJsonObject(responses)) return responses
  const answers = Object.entries(responses).map(([key, answer]) => {
    if (!isJsonObject(answer)) return [key, answer] as const
    const others = Object.entries(answer).filter(([member]) => !reads(member, 'roots'))
    const isRoots = others.length < Object.keys(answer).length
    return [key, isRoots ? { ...Object.fromEntries(others), ...answerRoots(roots).result } : answer] as const
  })
  return Object.fromEntries(answers)
}

/** Whether some server reads a key as this one: those in Go do not care for case, and know odd letters. */
function reads(key: string, name: string): boolean {
  return key.length === name.length && foldKey(key) === name
}

/** A modern server asked for nothing but roots: the request again, with the answer. Undefined: it did not. */
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
