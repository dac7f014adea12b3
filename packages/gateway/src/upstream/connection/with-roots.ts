import { foldKey } from '../../protocol/field-path.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { type Envelope, META } from '../../protocol/modern.ts'
import { answerRoots, offerOf, type Roots } from './roots.ts'
import type { UpstreamRequest } from './upstream-request.ts'

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
