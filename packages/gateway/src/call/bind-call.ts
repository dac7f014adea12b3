import { otherParams } from '../approvals/other-params.ts'
import { type Bindings, bindingsOf } from '../approvals/shown-request.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Decision } from '../policy/decide.ts'

export type Asked = Extract<Decision, { verdict: 'confirm' }>

/** What a person would allow who says yes to this call, asked for these reasons, under these rules. */
export function bindCall(
  { call, tool }: Classified,
  { channel, reasons }: Pick<Asked, 'channel' | 'reasons'>,
  rules: string,
): Bindings {
  const { principal, session } = call.exchange.caller
  const others = otherParams(call.params)
  return bindingsOf({
    principal: principal.id,
    session,
    tool: `${tool.server}:${tool.name}`,
    fingerprint: tool.fingerprint,
    args: { arguments: call.params.arguments ?? {}, ...(others === undefined ? {} : { others }) },
    rules,
    channel,
    asking: reasons.map(({ rule }) => rule),
  })
}
