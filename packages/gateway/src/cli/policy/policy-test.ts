import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type PolicyProblem, renderPolicyProblems } from '../../base/errors/policy-problem.ts'
import { HintgateError } from '../../base/errors.ts'
import { type CaseFile, readCases } from '../../policy/rules/cases/read-cases.ts'
import { type CaseResult, runCase } from '../../policy/rules/cases/run-case.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import { showJson } from '../show/show-json.ts'
import { reportError } from '../terminal/context.ts'
import { createPaint, EXIT, write } from '../terminal/output.ts'
import { findPolicies, type SourceFlags } from './policy-source.ts'

export interface TestFlags extends SourceFlags {
  readonly policy?: readonly string[]
}

interface Tested {
  readonly code: number
  readonly results: readonly CaseResult[]
  readonly problems: readonly PolicyProblem[]
}

const paint = createPaint(process.stdout, process.env)

/** `hintgate policy test`. */
export async function test(paths: readonly string[], flags: TestFlags): Promise<void> {
  try {
    const tested = paths.map(path => testFile(path, flags))
    const results = tested.flatMap(one => one.results)
    const problems = tested.flatMap(one => one.problems)
    if (flags.json)
      await write(showJson({ ok: tested.every(({ code }) => code === EXIT.done), results, problems }))
    else {
      process.stderr.write(renderPolicyProblems(problems))
      await write(`${results.map(showResult).join('')}${problems.length === 0 ? showSum(results) : ''}`)
    }
    process.exitCode = Math.max(...tested.map(({ code }) => code))
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

function testFile(path: string, flags: TestFlags): Tested {
  const file = readCases({ path, text: readText(path) })
  if (file.problems.length > 0) return { code: EXIT.usage, results: [], problems: file.problems }
  const source = findPolicies(flags.policy ?? policiesOf(file, path), flags)
  const fallback = file.policyDefault ?? source.fallback
  const { set, problems } = parsePolicies(source.files, { fallback })
  if (source.problems.length > 0 || problems.length > 0) {
    const code = source.problems.length > 0 ? EXIT.usage : EXIT.failed
    return { code, results: [], problems: [...source.problems, ...problems] }
  }
  const results = file.cases.map(one => runCase(one, set))
  return { code: results.every(({ passed }) => passed) ? EXIT.done : EXIT.failed, results, problems: [] }
}

function policiesOf({ policies = [] }: CaseFile, path: string): readonly string[] {
  return policies.map(policy => resolve(dirname(path), policy))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`
    throw new HintgateError('flag_invalid', { flag: 'cases', why })
  }
}

function showResult(result: CaseResult): string {
  if (result.passed) return `${paint('green', 'ok')}      ${result.name}\n`
  const { name, source, expected, expectedRules, verdict, rules, reasons } = result
  const lines = [
    `${paint('red', 'FAILED')}  ${name} (${source})`,
    `  expected ${say(expected, expectedRules)}, got ${say(verdict, rules)}`,
    ...reasons.map(reason => `  ${reason}`),
  ]
  return `${lines.join('\n')}\n`
}

function say(verdict: string, rules: readonly string[]): string {
  return rules.length === 0 ? verdict : `${verdict} by ${rules.join(', ')}`
}

function showSum(results: readonly CaseResult[]): string {
  const failed = results.filter(({ passed }) => !passed).length
  return `${results.length} cases, ${failed === 0 ? 'all as expected' : `${failed} failed`}\n`
}
