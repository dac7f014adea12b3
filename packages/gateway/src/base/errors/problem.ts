/** Where in a document: keys and indexes from the root. */
export type Path = readonly (string | number)[]

/** Never quotes a value: it may be a secret. */
export interface Problem {
  /** `mcpServers.crm.url`, `--listen` for a flag, empty for the whole file. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
}

/** What a check finds, before it is known which line that is. */
export interface Complaint {
  readonly path: Path
  readonly message: string
  readonly fix: string
  /** The complaint is about the key itself, not about what it holds. */
  readonly aboutKey?: boolean
  /** Where it is, if a path cannot tell. */
  readonly offset?: number
}

const PLAIN_KEY = /^[\w-]+$/

/** `mcpServers.crm.args[0]`, with keys in quotes where they would be misread. */
export function showPath(path: Path): string {
  return path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`
    const key = PLAIN_KEY.test(step) ? step : JSON.stringify(step)
    return shown === '' ? key : `${shown}.${key}`
  }, '')
}

/** `file:line:column: message`, as editors and terminals understand it, with the fix on a line of its own. */
export function renderProblems(file: string, problems: readonly Problem[]): string {
  return problems.map(problem => `${place(file, problem)}: ${say(problem)}\n  fix: ${problem.fix}\n`).join('')
}

function place(file: string, { path, line, column }: Problem): string {
  return path.startsWith('--') ? 'command line' : `${file}:${line}:${column}`
}

function say({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`
}
