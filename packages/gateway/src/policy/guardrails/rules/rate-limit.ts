import { z } from 'zod'
import { parseDuration } from '../../../base/measures.ts'
import type { Facts } from '../../facts/facts.ts'
import { defineRule } from '../values/rule.ts'

const PARTIES = ['agent', 'session', 'server', 'tool', 'variant'] as const

const params = {
  limit: z.int().min(0).max(1_000_000),
  window: z.union([z.string(), z.number()]).refine(value => (parseDuration(value) ?? 0) >= 1000, {
    error: 'expected a duration of at least a second',
    params: { fix: 'use a form such as "10s", "1m" or "1h"' },
  }),
  per: z.array(z.enum(PARTIES)).min(0).default(['agent']),
}

/**
 * A guardrail that limits the number of calls per time window. It only describes the limit; the calls are counted by
 * the code that calls `ratesOf`.
 */
export const rateLimit = defineRule({
  name: 'rate_limit',
  params,
  effects: [],
  compile: () => () => undefined,
})

export interface Rate {
  readonly limit: number
  readonly windowMs: number
  /** Returns a key for counting a call. Calls with the same key are counted together. */
  readonly partyOf: (facts: Facts) => string
  readonly text: string
}

export function readRate(raw: unknown): Rate {
  const { limit, window, per } = z.object(params).parse(raw)
  const windowMs = parseDuration(window) ?? 0
  return {
    limit,
    windowMs,
    partyOf: facts => per.map(party => JSON.stringify(nameOf(party, facts))).join('|'),
    text: `more than ${limit} calls in ${windowMs / 1000} s${per.length > 0 ? ` per ${per.join(' and ')}` : ''}`,
  }
}

function nameOf(party: (typeof PARTIES)[number], { agent, session, server, tool }: Facts): string {
  switch (party) {
    case 'agent':
      return agent.id
    case 'session':
      return `${agent.id} ${session.id}`
    case 'server':
      return server.name
    case 'tool':
      return `${server.name}:${tool.name}`
    case 'variant':
      return tool.variant
  }
}
