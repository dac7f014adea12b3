import type { Caller } from '../../../exchange/exchange.ts'
import type { Outcome } from '../../../exchange/outcome.ts'
import type { Front } from './front.ts'

/** Returns the outcome of a tool call with addresses in the place of the server's URIs. */
export function withLinks(
  outcome: Outcome,
  server: string,
  { caller, front }: { readonly caller: Caller; readonly front: Pick<Front, 'address'> },
): Outcome {
  if (outcome.kind !== 'answered') return outcome
  const result = front.address(outcome.result, server, caller)
  return result === outcome.result ? outcome : { kind: 'answered', result, bytes: outcome.bytes }
}
