import { expect, it } from 'vitest'
import { configSchema } from '../config/schema/schema.ts'
import { LIMITS } from './limits.ts'

const KEY = /^(limits|mcpServers\.\*)\.\w+$/

/** Returns the config keys that a row mentions, including keys in comma-separated lists. */
function keysOf(row: object): string[] {
  const texts = Object.values(row).filter(value => typeof value === 'string')
  return texts.flatMap(text => text.split(', ')).filter(text => KEY.test(text))
}

it('there are at most twelve limits', () => {
  expect(Object.keys(LIMITS).length).toBeLessThanOrEqual(12)
})

it('the config has every key that the table names', () => {
  const keys = Object.values(LIMITS).flatMap(keysOf)
  expect(keys).toContain('limits.callsPerPrincipal')
  for (const key of keys) {
    const [section, last = ''] = key.split(/\.(?:\*\.)?/)
    const server = { s: { command: 'x', [last]: [] } }
    const given = section === 'limits' ? { limits: { [last]: [] } } : { mcpServers: server }
    const { error } = configSchema.safeParse(given)
    // The config knows the key, and rejects a list as its value.
    expect(error?.issues.map(({ path }) => path.at(-1))).toContain(last)
  }
})
