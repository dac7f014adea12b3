import type { AgentOptions, AgentRules, RetryOptions } from './agent-options.ts'
import { AgentError } from './errors.ts'
import { isJsonObject } from './json.ts'

/** The gateway's defaults: reads and writes are allowed, and destructive calls need approval. */
const RULES: AgentRules = { read: 'never', write: 'never', destructive: 'always', trifecta: 'declared' }
const RETRY: RetryOptions = { attempts: 3, delayMs: 200, maxDelayMs: 2000 }
const TIMEOUT_MS = 60_000
/**
 * Matches a server's name. It must not contain a colon, which separates server and tool in an id, or `__`, which
 * separates them in a gateway's tool names.
 */
const NAME = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The options with all defaults filled in. */
export interface Settings extends AgentOptions {
  readonly rules: AgentRules
  readonly retry: RetryOptions
  readonly timeoutMs: number
}

/** Checks the options. If there are problems, the error lists all of them. */
export function readOptions(options: AgentOptions): Settings {
  const problems = [
    ...Object.entries(options.servers).flatMap(([name, server]) => findProblems(name, server)),
    ...findRuleProblems({ ...options.rules }),
  ]
  if (Object.keys(options.servers).length === 0) problems.push('servers: configure at least one server')
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
  const named = NAME.test(name)
    ? []
    : [`${where}: use only letters, digits, dots, dashes and single underscores in a name`]
  if (!isJsonObject(server)) return [...named, `${where}: must be an object`]
  const kinds = ['command', 'url', 'gateway'].filter(kind => server[kind] !== undefined)
  if (kinds.length !== 1) return [...named, `${where}: set exactly one of command, url and gateway`]
  const address = server.url ?? server.gateway
  const isAddress = address === undefined || (typeof address === 'string' && isHttp(address))
  const isOpen = server.gateway !== undefined && (typeof server.token !== 'string' || server.token === '')
  const { trust } = server
  return [
    ...named,
    ...(isAddress ? [] : [`${where}: must be an http or https URL`]),
    ...(isOpen ? [`${where}.token: a gateway needs a token; create one with hintgate tokens create`] : []),
    ...(trust === undefined || trust === 'reviewed' || trust === 'trusted'
      ? []
      : [`${where}.trust: use "reviewed" or "trusted"`]),
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

/** Reports unknown rules and values, because a misspelt rule must not be silently ignored. */
function findRuleProblems(rules: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(rules).flatMap(([rule, word]) => {
    const words = isRule(rule) ? RULE_WORDS[rule] : undefined
    if (words === undefined)
      return [`rules.${rule}: unknown rule; use one of ${Object.keys(RULE_WORDS).join(', ')}`]
    return typeof word === 'string' && words.includes(word)
      ? []
      : [`rules.${rule}: use one of ${words.join(', ')}`]
  })
}

function isRule(rule: string): rule is keyof AgentRules {
  return Object.hasOwn(RULE_WORDS, rule)
}
