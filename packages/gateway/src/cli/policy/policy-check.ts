import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type PolicyProblem, renderPolicyProblems } from '../../base/errors/policy-problem.ts'
import { type CaseFile, readCases } from '../../policy/rules/cases/read-cases.ts'
import { type CaseResult, runCase } from '../../policy/rules/cases/run-case.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import type { Fallback } from '../../policy/rules/policy-set.ts'
import { readPolicyFiles } from '../../policy/rules/read-policy-files.ts'
import type { PolicyFile } from '../../policy/rules/read-yaml.ts'
import { showJson } from '../show/show-json.ts'
import { allBut, type CommonFlags, invalidFlag, loadHere } from '../terminal/context.ts'
import { count, type Ending, EXIT, paint } from '../terminal/output.ts'

interface PolicySource {
  readonly files: readonly PolicyFile[]
  readonly problems: readonly PolicyProblem[]
  readonly fallback: Fallback
}

async function findPolicies(patterns: readonly string[], flags: CommonFlags): Promise<PolicySource> {
  const cwd = process.cwd()
  if (patterns.length > 0) return { ...readPolicyFiles(patterns, cwd), fallback: 'allow' }
  const { config, path } = await loadHere({ ...flags, skip: allBut('policies', 'policyDefault') })
  const { policies, policyDefault } = config
  if (policies.length === 0)
    throw invalidFlag('files', `name policy files, or list them under "policies" in ${path ?? 'a config'}`)
  return { ...readPolicyFiles(policies, cwd), fallback: policyDefault }
}

export async function check(patterns: readonly string[], flags: CommonFlags): Promise<Ending> {
  const source = await findPolicies(patterns, flags)
  const { set, problems: found } = parsePolicies(source.files, source)
  const problems = [...source.problems, ...found]
  const files = source.files.map(({ path }) => path)
  const ok = problems.length === 0
  const failed = source.problems.length > 0 ? EXIT.usage : EXIT.failed
  const code = ok ? EXIT.done : failed
  const rules = ok && { rules: set.size, version: set.version }
  if (flags.json) return { code, out: showJson({ ok, files, ...rules, problems }) }
  const where = `in ${count(files.length, 'file')}`
  if (ok) return { code, out: `${count(set.size, 'rule')} ${where}, no problems.\n` }
  return { code, err: `${renderPolicyProblems(problems)}${count(problems.length, 'problem')} ${where}.\n` }
}

interface Tested {
  readonly code: number
  readonly results: readonly CaseResult[]
  readonly problems: readonly PolicyProblem[]
}

export async function test(paths: readonly string[], flags: TestFlags): Promise<Ending> {
  const tested: Tested[] = []
  for (const path of paths) tested.push(await testFile(path, flags))
  const results = tested.flatMap(one => one.results)
  const problems = tested.flatMap(one => one.problems)
  const code = Math.max(...tested.map(one => one.code))
  if (flags.json) return { code, out: showJson({ ok: code === EXIT.done, results, problems }) }
  process.stderr.write(renderPolicyProblems(problems))
  return { code, out: `${results.map(showResult).join('')}${problems.length === 0 ? showSum(results) : ''}` }
}

type TestFlags = CommonFlags & { readonly policy?: readonly string[] }

async function testFile(path: string, flags: TestFlags): Promise<Tested> {
  const file = readCases({ path, text: readText(path) })
  if (file.problems.length > 0) return { code: EXIT.usage, results: [], problems: file.problems }
  const source = await findPolicies(flags.policy ?? policiesOf(file, path), flags)
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
    throw invalidFlag('cases', `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
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
  return `${results.length} cases, ${failed === 0 ? 'all passed' : `${failed} failed`}\n`
}
