import type { LogLevel } from './log.ts'

/** The client's description of itself, if it sent one. */
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

/** The connection back to the caller: an MCP connection of either era, or a test. */
export interface Wire {
  readonly signal: AbortSignal
  readonly client: ClientInfo
  /** The answers to questions that this call asked before, by question key. */
  readonly answers: ReadonlyMap<string, FormAnswer>
  progress(progress: Progress): Promise<void>
  log(level: LogLevel, message: string, data?: unknown): void
}
