/** A location in a document: keys and indexes from the root. */
export type Path = readonly (string | number)[]

/** A problem in the config. Its texts never quote a value, because the value may be a secret. */
export interface Problem {
  /** `mcpServers.crm.url`, `--listen` for a flag, empty for the whole file. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
}

/** A problem that a check found, before its line is known. */
export interface Complaint {
  readonly path: Path
  readonly message: string
  readonly fix: string
  /** True if the complaint is about the key, not its value. */
  readonly aboutKey?: boolean
  /** The location, if a path cannot express it. */
  readonly offset?: number
}

const PLAIN_KEY = /^[\w-]+$/

/** `mcpServers.crm.args[0]`, with ambiguous keys in quotes. */
export function showPath(path: Path): string {
  return path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`
    const key = PLAIN_KEY.test(step) ? step : JSON.stringify(step)
    return shown === '' ? key : `${shown}.${key}`
  }, '')
}

/** `file:line:column: message`, which editors and terminals recognise, with the fix on the next line. */
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
