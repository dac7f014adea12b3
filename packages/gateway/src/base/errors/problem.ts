/** A location in a document: keys and indexes from the root. */
export type Path = readonly (string | number)[]

/** One problem in a file or on the command line. Messages never quote a value, because it could be a secret. */
export interface Problem {
  /** A path such as `mcpServers.crm.url`, a flag such as `--listen`, or an empty string for the whole file. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
}

/** A problem that a check found, before the line in the file is known. */
export interface Complaint {
  readonly path: Path
  readonly message: string
  readonly fix: string
  /** True if the complaint is about the key, not its value. */
  readonly aboutKey?: boolean
  /** The position in the file, if a path cannot express it. */
  readonly offset?: number
}

const PLAIN_KEY = /^[\w-]+$/

/** Formats a path like `mcpServers.crm.args[0]`, with ambiguous keys in quotes. */
export function showPath(path: Path): string {
  return path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`
    const key = PLAIN_KEY.test(step) ? step : JSON.stringify(step)
    return shown === '' ? key : `${shown}.${key}`
  }, '')
}

/**
 * Formats problems as `file:line:column: message`, which editors and terminals recognise, with the fix on the next
 * line.
 */
export function renderProblems(file: string, problems: readonly Problem[]): string {
  return problems
    .map(problem => `${locate(file, problem)}: ${describe(problem)}\n  fix: ${problem.fix}\n`)
    .join('')
}

function locate(file: string, { path, line, column }: Problem): string {
  return path.startsWith('--') ? 'command line' : `${file}:${line}:${column}`
}

function describe({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`
}
