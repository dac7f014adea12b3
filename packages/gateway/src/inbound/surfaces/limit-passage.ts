import { HintgateError } from '../../base/errors.ts'
import type { CallDeps } from '../../call/call-deps.ts'
import { limitsOf, takeRates } from '../../call/limit-rate.ts'
import type { Wanted } from '../../exchange/surface.ts'
import { RPC } from '../../protocol/messages.ts'
import { isRead } from './may-pass.ts'
import type { OwnError } from './own-error.ts'

/** Counts what is no tool call against the same limits of its token and its server. */
export async function limitPassage(
  { caller, method }: Wanted,
  server: string,
  deps: Pick<CallDeps, 'rules' | 'rates' | 'failOpenReads'>,
): Promise<OwnError | undefined> {
  const { id, scope } = caller.principal
  const limits = limitsOf({ agent: { id }, scope, server: { name: server } }, deps.rules().rateOf(server), [])
  if (limits.length === 0) return undefined
  try {
    const exceeded = await takeRates(limits, deps.rates)
    if (exceeded === undefined) return undefined
    const seconds = Math.max(1, Math.ceil(exceeded.waitMs / 1000))
    const message = `Too many requests: ${exceeded.rule.reason.text}. Wait ${seconds} s.`
    return { code: RPC.generic, message, data: { code: 'rate_limited' } }
  } catch (error) {
    return passWithoutStore(error, method, deps)
  }
}

/** Where the store is away, what only reads goes on if the config says so. */
export function passWithoutStore(
  error: unknown,
  method: string,
  { failOpenReads }: Pick<CallDeps, 'failOpenReads'>,
): OwnError | undefined {
  if (!(error instanceof HintgateError && error.code.startsWith('store_'))) throw error
  const isHarmless = isRead(method) || method.startsWith('resources/')
  return isHarmless && failOpenReads() ? undefined : UNCOUNTED
}

const UNCOUNTED: OwnError = {
  code: RPC.internal,
  message: 'The request was not forwarded, because it cannot be counted at the moment. Try again later.',
  data: { code: 'overloaded' },
}
