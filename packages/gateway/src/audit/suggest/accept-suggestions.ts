import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { PolicyProblem } from '../../base/errors/policy-problem.ts'
import { HintgateError } from '../../base/errors.ts'
import { readRegularFile } from '../../base/read-regular-file.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import type { Fallback } from '../../policy/rules/policy-set.ts'
import type { PolicyFile } from '../../policy/rules/read-yaml.ts'
import type { Suggestion } from './suggestion.ts'
import { writeWaiver } from './write-waiver.ts'

interface Accepting {
  readonly author: string
  readonly expires: number
  /** The reason in the rule; the suggestion's own sentence if absent. */
  readonly reason?: string | undefined
  /** The file to write, as an absolute path. It is created if it does not exist; otherwise, its content is kept. */
  readonly file: string
  /** The policy files in force. */
  readonly others: { readonly files: readonly PolicyFile[]; readonly problems: readonly PolicyProblem[] }
  readonly fallback: Fallback
  readonly folder: string
}

const HEAD =
  '# Rules that people accepted with `hintgate policy suggest`. Each one removes questions until it expires.\nrules:\n'

/** Returns the text of a policy file with the rules added at its end; undefined stands for a file that does not exist. */
export function acceptedText(
  before: string | undefined,
  chosen: readonly Suggestion[],
  { author, expires, reason }: Pick<Accepting, 'author' | 'expires' | 'reason'>,
): string {
  const items = chosen.map(({ draft, text }) =>
    writeWaiver(draft, { author, expires, reason: reason ?? `${text.replaceAll('`', '')}.` }),
  )
  return `${(before ?? HEAD).replace(/\n*$/, '\n')}${items.join('')}`
}

/**
 * Returns the text of a policy file with the accepted rules at its end. Throws `policy_invalid` unless all policies can
 * be loaded together with these rules.
 */
export function acceptSuggestions(
  chosen: readonly Suggestion[],
  { author, expires, reason, file, others, fallback, folder }: Accepting,
): { readonly file: string; readonly text: string } {
  const before = existsSync(file) ? readRegularFile(file).toString() : undefined
  const text = acceptedText(before, chosen, { author, expires, reason })
  const path = relative(folder, file)
  const files = [...others.files.filter(known => known.path !== path), { path, text }]
  const { problems } = parsePolicies(files, { fallback })
  const all = [...others.problems.filter(problem => problem.file !== path), ...problems]
  if (all.length > 0) throw new HintgateError('policy_invalid', { problems: all })
  return { file, text }
}
