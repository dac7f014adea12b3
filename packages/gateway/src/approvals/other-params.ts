import type { Json } from '../protocol/messages.ts'

/** What a call carries besides its arguments and what the protocol is about: nobody knows what a server makes of it. */
export function otherParams(params: Json): Json {
  const {
    name: _name,
    arguments: _arguments,
    _meta,
    requestState: _state,
    inputResponses: _responses,
    ...others
  } = params
  return Object.keys(others).length === 0 ? {} : { others }
}
