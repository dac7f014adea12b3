import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCases } from './cases/read-cases.ts'
import { VARIABLES } from './condition/attributes.ts'
import { compileCondition } from './condition/compile-condition.ts'
import { parsePolicies } from './parse-policies.ts'

const page = readFileSync(new URL('../../../../../docs/policy.md', import.meta.url), 'utf8')

function examples(language: string): readonly string[] {
  return [...page.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, found, text = '']) =>
    found === language ? [text] : [],
  )
}

describe('docs/policy.md', () => {
  const files = examples('yaml')
  const conditions = examples('cel').flatMap(text => text.trim().split('\n'))

  it('has examples', () => {
    expect(files.length).toBeGreaterThan(3)
    expect(conditions.length).toBeGreaterThan(10)
  })

  it.each(files)('shows valid files: %s', text => {
    const file = { path: 'docs/policy.md', text }
    const { problems } = text.includes('cases:') ? readCases(file) : parsePolicies([file])
    expect(problems).toEqual([])
  })

  it.each(conditions)('shows valid conditions: %s', text => {
    expect(compileCondition(text).complaints).toEqual([])
  })

  it('names every variable', () => {
    for (const variable of VARIABLES) expect(page).toContain(`| \`${variable}\` |`)
  })
})
