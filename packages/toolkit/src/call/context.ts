import type { ArgumentsOf, Input } from '../input/input.ts'
import { showIssues } from '../input/issues.ts'
import { readInput } from '../input/read-input.ts'
import { createLog, type Log, type LogLevel } from './log.ts'
import { QuestionOpen, ToolFailure } from './question.ts'
import { imageResult, jsonResult, type ToolResult, textResult } from './results.ts'
import type { ClientInfo, Wire } from './wire.ts'

/** A person's answer. `unavailable` means that the client cannot ask a person. */
export type Elicited<T> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' | 'cancel' | 'unavailable' }

/** The functions and data that a tool's `execute` function can use during a call. */
export interface Context<Env> {
  json(value: unknown): ToolResult
  text(text: string): ToolResult
  markdown(text: string): ToolResult
  html(text: string): ToolResult
  /** Adds an image, given as bytes or as a base64 string. */
  image(data: Uint8Array | string, mimeType: string): ToolResult
  /** Ends the call with an error message for the caller. */
  fail(message: string, details?: unknown): never
  progress(progress: number, total?: number, message?: string): Promise<void>
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal
  readonly log: Log
  /** The toolkit's `env`, which was checked at start-up. */
  readonly env: Env
  /**
   * Asks a person. When the answer arrives, the tool's function runs again from the start, so it must ask before it
   * changes anything.
   */
  elicit<F extends Input>(message: string, form: F): Promise<Elicited<ArgumentsOf<F>>>
  readonly client: ClientInfo
}

interface Surroundings<Env> {
  readonly env: Env
  readonly wire: Wire
  write(level: LogLevel, message: string, data?: unknown): void
}

export class CallContext<Env> implements Context<Env> {
  readonly #around: Surroundings<Env>
  #log: Log | undefined
  #questions = 0

  constructor(around: Surroundings<Env>) {
    this.#around = around
  }

  get signal(): AbortSignal {
    return this.#around.wire.signal
  }

  get env(): Env {
    return this.#around.env
  }

  get client(): ClientInfo {
    return this.#around.wire.client
  }

  get log(): Log {
    this.#log ??= createLog((level, message, data) => {
      this.#around.write(level, message, data)
      this.#around.wire.log(level, message, data)
    })
    return this.#log
  }

  json(value: unknown): ToolResult {
    return jsonResult(value)
  }

  text(text: string): ToolResult {
    return textResult(text)
  }

  markdown(text: string): ToolResult {
    return textResult(text, 'text/markdown')
  }

  html(text: string): ToolResult {
    return textResult(text, 'text/html')
  }

  image(data: Uint8Array | string, mimeType: string): ToolResult {
    return imageResult(data, mimeType)
  }

  fail(message: string, details?: unknown): never {
    throw new ToolFailure(message, details)
  }

  progress(progress: number, total?: number, message?: string): Promise<void> {
    return this.#around.wire.progress({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    })
  }

  async elicit<F extends Input>(message: string, form: F): Promise<Elicited<ArgumentsOf<F>>> {
    // Questions are identified by their order. The order is the same in every run, because a tool asks before it acts.
    const key = `question-${++this.#questions}`
    const { wire } = this.#around
    if (wire.client.capabilities.elicitation === undefined) return { action: 'unavailable' }
    const input = readInput(form)
    const answer = wire.answers.get(key)
    if (answer === undefined) throw new QuestionOpen({ key, message, schema: input.jsonSchema })
    if (answer.action !== 'accept') return { action: answer.action }
    const verdict = await input.check(answer.content ?? {})
    if (verdict.issues)
      throw new ToolFailure(`The answer does not match the form: ${showIssues(verdict.issues)}`)
    return { action: 'accept', content: verdict.value as ArgumentsOf<F> }
  }
}
