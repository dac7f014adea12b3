import type { LogLevel } from './log.ts'

/** Who calls, as far as it says so. */
export interface ClientInfo {
  readonly name?: string
  readonly version?: string
  readonly capabilities: Readonly<Record<string, unknown>>
}

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** What a person answered to a form. */
export interface FormAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: unknown
}

/** The way back to whoever called: MCP in either era, or a test. */
export interface Wire {
  readonly signal: AbortSignal
  readonly client: ClientInfo
  /** Answers to earlier questions of this call, by the question's key. */
  readonly answers: ReadonlyMap<string, FormAnswer>
  progress(progress: Progress): Promise<void>
  log(level: LogLevel, message: string, data?: unknown): void
}
