import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readCases } from './cases/read-cases.ts'
import { runCase } from './cases/run-case.ts'
import { parsePolicies } from './parse-policies.ts'
import { readPolicyFiles } from './read-policy-files.ts'
import { makeFacts } from './test-support/make-facts.ts'

const FOLDER = fileURLToPath(new URL('../../../policies/', import.meta.url))
const path = join(FOLDER, 'cases/default.yaml')
const { cases, policies = [], problems } = readCases({ path, text: readFileSync(path, 'utf8') })
const shipped = parsePolicies(readPolicyFiles(policies, dirname(path)).files)

describe('the default policies', () => {
  it('are valid, and so are their cases', () => {
    expect(shipped.problems).toEqual([])
    expect(problems).toEqual([])
  })

  it.each(cases.map(one => [one.name, one] as const))('%s', (_name, one) => {
    expect(runCase(one, shipped.set)).toMatchObject({ passed: true })
  })

  it('each match in at least one case', () => {
    const spoke = new Set(cases.flatMap(one => shipped.set.evaluate(one.facts).hits.map(({ id }) => id)))
    expect(spoke.size).toBe(shipped.set.size)
  })

  it('never fail on any arguments', () => {
    const odd = { a: null, b: [], c: { d: [1, 'x', { e: true }] }, force: 'yes', f: 1.5, g: '' }
    for (const args of [{}, odd])
      for (const hints of [{}, { destructive: true }, { readOnly: true }])
        for (const hit of shipped.set.evaluate(makeFacts({ hints, args })).hits)
          expect(hit.reason.text).not.toContain('could not be decided')
  })

  it('allow a long upload', () => {
    const args = { path: 'report.pdf', content: 'QUJD'.repeat(900_000) }
    const { hits } = shipped.set.evaluate(makeFacts({ hints: { destructive: false, egress: false }, args }))
    expect(hits).toEqual([])
  })
})
