import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadPolicies, loadRules } from './load-rules.ts'
import { load, loadText, problemsOf, write } from './test-support/config-folder.ts'

const read = (name: string): string => readFileSync(new URL(`test-support/${name}`, import.meta.url), 'utf8')

/** A config with every key of the previous version, and the list of those keys' paths, such as `mcpServers.*.url`. */
const CONFIG = read('earlier-version.json')
const KEYS = read('earlier-keys.txt').trim().split('\n')

const ENV = { CRM: 'not-a-secret', BOT: `hg_agent_${'bot'.repeat(15).slice(0, 43)}` }

/** A policy that uses `way_out`, the former name of the risk factor `external_communication`. */
const POLICY = `rules:
  - id: no-mass-mail
    effect: deny
    tools: ["crm:send_*"]
    when: session.way_out == "declared" && session.untrusted_content == "declared"
    reason: Not after reading the web.
`

/** True if a value has a member at a path, in which `*` is any member. The items of lists are searched too. */
function has(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  if (Array.isArray(value)) return value.some(each => has(each, [key, ...rest]))
  if (typeof value !== 'object' || value === null) return false
  if (key === '*') return Object.values(value).some(each => has(each, rest))
  return Object.hasOwn(value, key) && has((value as Record<string, unknown>)[key], rest)
}

describe('a config written for the previous version', () => {
  beforeEach(() => {
    for (const name of ['cert.pem', 'key.pem']) write('', name)
    write(POLICY, 'earlier-policy.yaml')
  })

  it('has every key of that version', () => {
    const config: unknown = JSON.parse(CONFIG)
    expect(KEYS.length).toBeGreaterThan(170)
    expect(KEYS.filter(key => !has(config, key.split('.')))).toEqual([])
  })

  it('loads without a problem, with its guardrails and policies', async () => {
    expect(problemsOf(CONFIG, { env: ENV })).toEqual([])
    const loaded = load({ env: ENV })
    expect((await loadRules(loaded)).guardrails.size).toBeGreaterThan(20)
    expect((await loadPolicies(loaded)).version).not.toBe('none')
  })

  it('keeps its values', () => {
    const { config } = loadText(CONFIG, { env: ENV })
    const [files] = config.servers
    expect(files).toMatchObject({ name: 'files', roots: 'client', parallel: 'exclusive-writes' })
    expect(config.limits).toMatchObject({ bodyBytes: 4 * 1024 * 1024 })
    expect(config.confirm).toMatchObject({ channel: 'person', remember: ['session', 'arguments'] })
  })
})
