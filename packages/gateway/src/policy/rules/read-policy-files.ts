import { statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { PolicyProblem } from '../../base/errors/policy-problem.ts'
import { readRegularFile } from '../../base/read-regular-file.ts'
import { findFiles } from './find-files.ts'
import { MAX_FILE, type PolicyFile } from './read-yaml.ts'

/**
 * Reads the files that match patterns such as `policies/*.yaml`, sorted by name, each once. A pattern without a match
 * is a problem, because the operator believes that its rules are in force.
 */
export function readPolicyFiles(
  patterns: readonly string[],
  baseFolder: string,
): { readonly files: readonly PolicyFile[]; readonly problems: readonly PolicyProblem[] } {
  const problems: PolicyProblem[] = []
  const paths = new Set<string>()
  for (const pattern of patterns) {
    const found = findFiles(resolve(baseFolder, pattern))
    for (const path of found) paths.add(path)
    if (found.length === 0)
      problems.push(problem(show(resolve(baseFolder, pattern), baseFolder), ...explainNothing(pattern)))
  }
  const files = [...paths].toSorted().flatMap(path => {
    const shown = show(path, baseFolder)
    const text = readText(path)
    if (typeof text === 'string') return [{ path: shown, text }]
    problems.push(problem(shown, text.why, 'name a file that this user can read'))
    return []
  })
  return { files, problems }
}

/** Returns the path to show in reasons, relative to the base folder if possible. People and agents see it. */
function show(path: string, baseFolder: string): string {
  const short = relative(baseFolder, path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short.split(sep).join('/')
}

function readText(path: string): string | { readonly why: string } {
  try {
    if (statSync(path).size > MAX_FILE * 4) return { why: 'the file is too long' }
    return readRegularFile(path)
      .toString()
      .replace(/^\uFEFF/, '')
  } catch (error) {
    return { why: `the file cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}

function explainNothing(pattern: string): [message: string, fix: string] {
  return pattern.includes('*')
    ? ['no file matches this pattern', 'correct the pattern, or remove it']
    : ['the file does not exist', 'name an existing file, or write folder/*.yaml for all files of a folder']
}

function problem(file: string, message: string, fix: string): PolicyProblem {
  return { file, line: 1, column: 1, message, fix }
}
