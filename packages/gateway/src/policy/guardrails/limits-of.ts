import type { Rate, Scope } from '../../scope/scope.ts'
import type { RateRule } from './guardrail.ts'

interface Limited {
  readonly scope: Pick<Scope, 'rate'>
  readonly agent: { readonly id: string }
  readonly server: { readonly name: string }
}

/**
 * Returns the rate limits that apply to a call: those of the caller, those of the server, and those of the guardrails.
 */
export function limitsOf(
  { agent, scope, server }: Limited,
  shared: Rate | undefined,
  ruled: readonly RateRule[],
): readonly RateRule[] {
  if (scope.rate === undefined && shared === undefined) return ruled
  const own = scope.rate === undefined ? [] : [limitOf('token', agent.id, scope.rate)]
  const all = shared === undefined ? [] : [limitOf('server', server.name, shared)]
  return [...own, ...all, ...ruled]
}

export function limitOf(of: 'token' | 'server', key: string, { limit, windowMs }: Rate) {
  const text = `the ${of} is limited to ${limit} calls in ${windowMs / 1000} s`
  return { key: `${of} ${key}`, limit, windowMs, reason: { rule: `rate.${of}`, source: of, text } }
}
