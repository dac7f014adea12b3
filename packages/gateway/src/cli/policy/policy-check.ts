import { renderPolicyProblems } from '../../base/errors/policy-problem.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import { showJson } from '../show/show-json.ts'
import { reportError } from '../terminal/context.ts'
import { EXIT, write } from '../terminal/output.ts'
import { findPolicies, type SourceFlags } from './policy-source.ts'

export type CheckFlags = SourceFlags

/** `hintgate policy check`. */
export async function check(patterns: readonly string[], flags: CheckFlags): Promise<void> {
  try {
    process.exitCode = await run(patterns, flags)
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

async function run(patterns: readonly string[], flags: CheckFlags): Promise<number> {
  const source = findPolicies(patterns, flags)
  const { set, problems: found } = parsePolicies(source.files, source)
  const problems = [...source.problems, ...found]
  const files = source.files.map(({ path }) => path)
  const isGood = problems.length === 0
  if (flags.json)
    await write(
      showJson({ ok: isGood, files, ...(isGood && { rules: set.size, version: set.version }), problems }),
    )
  else {
    process.stderr.write(renderPolicyProblems(problems))
    if (isGood) await write(`${count(set.size, 'rule')} in ${count(files.length, 'file')}: all is well.\n`)
    else process.stderr.write(`${count(problems.length, 'problem')} in ${count(files.length, 'file')}.\n`)
  }
  if (source.problems.length > 0) return EXIT.usage
  return isGood ? EXIT.done : EXIT.failed
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
