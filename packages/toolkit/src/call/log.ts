export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** A line in the server's log. */
export interface LogEntry {
  readonly time: string
  readonly level: LogLevel
  readonly server: string
  readonly tool?: string
  readonly message: string
  readonly data?: unknown
}

export type Logger = (entry: LogEntry) => void

/** The default logger. It writes JSON lines to standard error, because standard output carries MCP messages. */
export function logToStderr(entry: LogEntry): void {
  process.stderr.write(`${toLine(entry)}\n`)
}

function toLine(entry: LogEntry): string {
  try {
    return JSON.stringify(entry)
  } catch {
    return JSON.stringify({ ...entry, data: 'not representable as JSON' })
  }
}

/** The type of `ctx.log`: a function for ordinary lines, with a method for each level. */
export interface Log {
  (message: string, data?: unknown): void
  debug(message: string, data?: unknown): void
  info(message: string, data?: unknown): void
  warning(message: string, data?: unknown): void
  error(message: string, data?: unknown): void
}

export function createLog(write: (level: LogLevel, message: string, data?: unknown) => void): Log {
  const at = (level: LogLevel) => (message: string, data?: unknown) => write(level, message, data)
  return Object.assign(at('info'), {
    debug: at('debug'),
    info: at('info'),
    warning: at('warning'),
    error: at('error'),
  })
}
