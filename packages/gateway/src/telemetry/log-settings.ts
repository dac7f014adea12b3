import { HintgateError } from '../base/errors.ts'
import { LOG_FORMATS, LOG_LEVELS, type LogSettings } from '../base/log-levels.ts'

interface Wishes {
  readonly config: LogSettings
  /** `HINTGATE_LOG`: a format, a level, or both with a comma between them. */
  readonly env: string | undefined
  /** `--log-format`. */
  readonly format: string | undefined
}

/**
 * The command line goes before the environment, and that before the config.
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
