import type { AgentOptions, AgentRules, RetryOptions } from './agent-options.ts'
import { AgentError } from './errors.ts'
import { isJsonObject } from './json.ts'

/** As in the gateway: reads and writes go through, what may destroy asks. */
const RULES: AgentRules = { read: 'never', write: 'never', destructive: 'always', trifecta: 'declared' }
const RETRY: RetryOptions = { attempts: 3, delayMs: 200, maxDelayMs: 2000 }
const TIMEOUT_MS = 60_000
/** No colon, for that stands between server and tool, and no `__`, which does the same in a gateway. */
const NAME = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The options with everything filled in. */
export interface Settings extends AgentOptions {
  readonly rules: AgentRules
  readonly retry: RetryOptions
  readonly timeoutMs: number
}

/** Checks once, at the door; every problem is in the message. */
export function readOptions(options: AgentOptions): Settings {
  const problems = [
    ...Object.entries(options.servers).flatMap(([name, server]) => findProblems(name, server)),
    ...findRuleProblems({ ...options.rules }),
  ]
  if (Object.keys(options.servers).length === 0) problems.push('servers: there is none')
  if (problems.length > 0) throw new AgentError('options_invalid', problems.join('; '))
  return {
    ...options,
    rules: { ...RULES, ...options.rules },
    retry: { ...RETRY, ...options.retry },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  }
}

function findProblems(name: string, server: unknown): string[] {
  const where = `servers.${name}`
  const named = NAME.test(name) ? [] : [`${where}: a name has letters, digits, dots and dashes`]
  if (!isJsonObject(server)) return [...named, `${where}: not an object`]
  const kinds = ['command', 'url', 'gateway'].filter(kind => server[kind] !== undefined)
  if (kinds.length !== 1) return [...named, `${where}: give one of command, url and gateway`]
  const address = server.url ?? server.gateway
  const isAddress = address === undefined || (typeof address === 'string' && isHttp(address))
  const isOpen = server.gateway !== undefined && (typeof server.token !== 'string' || server.token === '')
  const { trust } = server
  return [
    ...named,
    ...(isAddress ? [] : [`${where}: not an http or https URL`]),
    ...(isOpen ? [`${where}.token: a gateway needs one; make it with hintgate tokens create`] : []),
    ...(trust === undefined || trust === 'reviewed' || trust === 'trusted'
      ? []
      : [`${where}.trust: "reviewed" or "trusted"`]),
  ]
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}

const RULE_WORDS: Readonly<Record<keyof AgentRules, readonly string[]>> = {
  read: ['never', 'always'],
  write: ['never', 'always'],
  destructive: ['never', 'always'],
  trifecta: ['always', 'declared', 'warn', 'off', 'deny'],
}

/** A misspelt rule must not turn into no rule. */
function findRuleProblems(rules: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(rules).flatMap(([rule, word]) => {
    const words = isRule(rule) ? RULE_WORDS[rule] : undefined
    if (words === undefined) return [`rules.${rule}: there is no such rule`]
    return typeof word === 'string' && words.includes(word)
      ? []
      : [`rules.${rule}: one of ${words.join(', ')}`]
  })
}

function isRule(rule: string): rule is keyof AgentRules {
  return Object.hasOwn(RULE_WORDS, rule)
}
