import { describe, expect, it } from 'vitest'
import { readCases } from '../../packages/gateway/src/policy/rules/cases/read-cases.ts'
import { runCase } from '../../packages/gateway/src/policy/rules/cases/run-case.ts'
import { parsePolicies } from '../../packages/gateway/src/policy/rules/parse-policies.ts'
import { readPage } from '../support/doc-blocks.ts'

const PAGE = 'docs/cookbook.md'

interface Recipe {
  readonly title: string
  readonly rules: string
  readonly cases: string
}

/** A recipe is a heading, a policy file, and a file of cases. */
const recipes: readonly Recipe[] = readPage(PAGE)
  .split(/^## /m)
  .slice(1)
  .map(section => {
    const [rules = '', cases = ''] = [...section.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
      ([, text = '']) => text,
    )
    return { title: section.split('\n')[0] ?? '', rules, cases }
  })

function judge({ rules, cases }: Recipe) {
  const told = readCases({ path: `${PAGE} (cases)`, text: cases })
  const { set, problems } = parsePolicies([{ path: PAGE, text: rules }], {
    fallback: told.policyDefault ?? 'allow',
  })
  return { problems: [...problems, ...told.problems], results: told.cases.map(one => runCase(one, set)) }
}

describe('the policies cookbook', () => {
  it('has at least a dozen recipes', () => expect(recipes.length).toBeGreaterThanOrEqual(12))

  it.each(recipes.map(recipe => [recipe.title, recipe] as const))(
    'has policies that pass their cases: %s',
    (_title, recipe) => {
      const { problems, results } = judge(recipe)
      expect(problems).toEqual([])
      expect(results.filter(({ passed }) => !passed)).toEqual([])
      // A rule that always matches, or never, would pass a single case.
      expect(new Set(results.map(({ verdict }) => verdict)).size).toBeGreaterThan(1)
    },
  )

  it('would fail for a policy that contradicts its cases', () => {
    const [first] = recipes
    if (first === undefined) throw new Error('there are no recipes')
    const { results } = judge({ ...first, rules: first.rules.replace('report-*', 'nobody-*') })
    expect(results.some(({ passed }) => !passed)).toBe(true)
  })
})
