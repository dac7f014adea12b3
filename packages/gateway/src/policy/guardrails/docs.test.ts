import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { compileGuardrails } from './compile-guardrails.ts'
import { RULE_KINDS } from './registry.ts'

const PAGE = new URL('../../../../../docs/guardrails.md', import.meta.url)

async function readExamples(): Promise<readonly { readonly rule: string }[]> {
  const page = await readFile(PAGE, 'utf8')
  return Array.from(page.matchAll(/`(\{ "rule": .*?\})` \|$/gm), ([, json = '']) => JSON.parse(json))
}

describe('docs/guardrails.md', () => {
  it('has a valid example of every rule', async () => {
    const rules = await readExamples()
    expect(rules.map(({ rule }) => rule)).toEqual([...RULE_KINDS.keys()])
    expect(compileGuardrails([{ layer: 'global', path: ['guardrails'], rules }]).problems).toEqual([])
  })

  it('names every parameter of every rule', async () => {
    const page = await readFile(PAGE, 'utf8')
    for (const [name, { schema }] of RULE_KINDS) {
      const row = page.split('\n').find(line => line.startsWith(`| \`${name}\``)) ?? ''
      const missing = Object.keys(schema.shape).filter(
        key => !/^fields?$/.test(key) && !row.includes(`\`${key}\``),
      )
      expect(missing, name).toEqual([])
    }
  })
})
