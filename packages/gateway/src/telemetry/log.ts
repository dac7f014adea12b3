import { LOG_LEVELS, type LogLevel, type LogSettings } from '../base/log-levels.ts'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'

/** What a line is about, for programs that read it. */
export interface LogFacts {
  readonly level?: LogLevel
  readonly requestId?: string | undefined
  readonly [fact: string]: string | number | boolean | undefined
}

export interface Log {
  readonly say: (line: string, facts?: LogFacts) => void
  /** Whether a line of this level would be written at all. */
  readonly hears: (level: LogLevel) => boolean
}

/**
 * Writes what operators are told: as lines for people, or as one JSON object a line for programs. Made by hand, because
 * it is a `JSON.stringify`: a library of loggers would bring a thread and a format of its own.
 *
 * @example
 * createLog({ format: 'json', level: 'info' }, write).say('files is ready', { server: 'files' })
 * // {"time":"2026-11-16T05:37:00.000Z","level":"info","msg":"files is ready","server":"files"}
 */
export function createLog({ format, level }: LogSettings, write: (text: string) => void): Log {
  const most = LOG_LEVELS.indexOf(level)
  const hears = (wanted: LogLevel): boolean => LOG_LEVELS.indexOf(wanted) <= most
  return {
    hears,
    say(line, { level: of = 'info', requestId, ...facts } = {}) {
      if (!hears(of)) return
      // What servers and callers say of themselves comes in here, too.
      const msg = maskSecrets(line)
      if (format === 'text')
        return write(`hintgate: ${msg}${requestId === undefined ? '' : ` (request ${requestId})`}\n`)
      const time = new Date().toISOString()
      write(`${JSON.stringify({ time, level: of, msg, request_id: requestId, ...facts })}\n`)
    },
  }
}
