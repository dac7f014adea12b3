import type { AuditOutcome, OutcomeEntry } from '../audit/entry.ts'
import { HintgateError } from '../base/errors.ts'
import { LOG_FORMATS, LOG_LEVELS, type LogLevel, type LogSettings } from '../base/log-levels.ts'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'

export interface LogFacts {
  readonly level?: LogLevel
  readonly requestId?: string | undefined
  readonly [fact: string]: string | number | boolean | undefined
}

export interface Log {
  readonly say: (line: string, facts?: LogFacts) => void
  /** Returns true if lines of this level are written. */
  readonly hears: (level: LogLevel) => boolean
}

/**
 * Creates the operator's log, written as plain lines or as one JSON object per line. There is no logging library,
 * because one would add a thread and its own format to a single `JSON.stringify`.
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
      // Secrets are masked, because lines may quote servers and callers.
      const msg = maskSecrets(line)
      if (format === 'text')
        return write(`hintgate: ${msg}${requestId === undefined ? '' : ` (request ${requestId})`}\n`)
      const time = new Date().toISOString()
      write(`${JSON.stringify({ time, level: of, msg, request_id: requestId, ...facts })}\n`)
    },
  }
}

interface Wishes {
  readonly config: LogSettings
  /** The value of `HINTGATE_LOG`: a format, a level, or both, separated by a comma. */
  readonly env: string | undefined
  /** The value of `--log-format`. */
  readonly format: string | undefined
}

/**
 * Reads the log settings. The command line takes precedence over the environment, which takes precedence over the config.
 *
 * @example
 * readLogSettings({ config: { format: 'text', level: 'info' }, env: 'json,debug', format: undefined })
 * // => { format: 'json', level: 'debug' }
 */
export function readLogSettings({ config, env = '', format }: Wishes): LogSettings {
  const words = env
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '')
  const known: readonly string[] = [...LOG_FORMATS, ...LOG_LEVELS]
  const odd = words.find(word => !known.includes(word))
  if (odd !== undefined) throw unknown('HINTGATE_LOG', known)
  if (format !== undefined && !LOG_FORMATS.some(one => one === format))
    throw unknown('--log-format', LOG_FORMATS)
  return {
    format:
      LOG_FORMATS.find(one => one === format) ??
      LOG_FORMATS.find(one => words.includes(one)) ??
      config.format,
    level: LOG_LEVELS.find(one => words.includes(one)) ?? config.level,
  }
}

function unknown(flag: string, known: readonly string[]): HintgateError {
  return new HintgateError('flag_invalid', { flag, why: `expected one of ${known.join(', ')}` })
}

/**
 * The level at which each outcome is logged: `debug` for calls that succeed, and for problems a level that is on by
 * default.
 */
const LEVELS: Readonly<Record<AuditOutcome, LogLevel>> = {
  answered: 'debug',
  tool_error: 'debug',
  asked: 'debug',
  cancelled: 'debug',
  error: 'info',
  refused: 'info',
  failed: 'warn',
  unknown: 'warn',
}

/**
 * Logs one line per call, with the caller, the tool and the outcome. Arguments and names that callers made up are left
 * out.
 */
export function logCalls(log: Log): (entry: OutcomeEntry) => void {
  return entry => {
    const level = LEVELS[entry.outcome]
    if (log.hears(level)) log.say(describe(entry), { level, ...factsOf(entry) })
  }
}

function describe({ call, outcome, code }: OutcomeEntry): string {
  const what = call.known === undefined ? 'an unknown tool' : `${call.server}:${call.tool}`
  return `${call.principal} called ${what}: ${outcome}${code === undefined ? '' : ` (${code})`}`
}

function factsOf({ call, outcome, code, attempts, durationMs, resultBytes }: OutcomeEntry) {
  const { known } = call
  return {
    requestId: call.requestId,
    principal: call.principal,
    ...(known === undefined ? {} : { server: call.server, tool: call.tool, variant: known.variant }),
    verdict: call.verdict,
    outcome,
    code,
    attempts,
    duration_ms: durationMs,
    result_bytes: resultBytes,
  }
}
