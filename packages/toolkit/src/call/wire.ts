import type { LogLevel } from './log.ts'

/** The client, as far as it identifies itself. */
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

/** A person's answer to a form. */
export interface FormAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: unknown
}

/** The connection back to the caller: MCP of either era, or a test. */
export interface Wire {
  readonly signal: AbortSignal
  readonly client: ClientInfo
  /** Answers to earlier questions of this call, by question key. */
  readonly answers: ReadonlyMap<string, FormAnswer>
  progress(progress: Progress): Promise<void>
  log(level: LogLevel, message: string, data?: unknown): void
}
