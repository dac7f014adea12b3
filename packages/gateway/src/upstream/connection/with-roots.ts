import { readsAs } from '../../protocol/field-path.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { type Envelope, META } from '../../protocol/modern.ts'
import { offerOf, type Roots, replaceRoots } from './roots.ts'
import type { UpstreamRequest } from './upstream-request.ts'

/** Changes a request to a modern server: it declares only the roots that the operator configured. */
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
    if (!readsAs(key, 'inputresponses')) continue
    answered ??= []
    answered.push([key, replaceRoots(kept[key], roots)])
  }
  return answered === undefined ? kept : { ...kept, ...Object.fromEntries(answered) }
}
