export interface PolicyProblem {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
}

/**
 * Formats problems as `file:line:column: message`, which editors and terminals recognise, with the fix on the next
 * line.
 */
export function renderPolicyProblems(problems: readonly PolicyProblem[]): string {
  return problems
    .map(({ file, line, column, message, fix }) => `${file}:${line}:${column}: ${message}\n  fix: ${fix}\n`)
    .join('')
}
