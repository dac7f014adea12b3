/** From most to least important. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export const LOG_FORMATS = ['text', 'json'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export interface LogSettings {
  readonly format: (typeof LOG_FORMATS)[number]
  readonly level: LogLevel
}
