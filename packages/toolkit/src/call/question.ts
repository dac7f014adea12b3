/** A form that a person must fill in before the call can continue. */
export interface Question {
  readonly key: string
  readonly message: string
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * Thrown to end the current run of a tool. MCP asks between two requests, not during one, so the tool runs again from
 * its beginning when the answer has arrived.
 */
export class QuestionOpen extends Error {
  readonly question: Question

  constructor(question: Question) {
    super('waiting for an answer')
    this.question = question
  }
}

/** Thrown by `ctx.fail`: an error with a message for the caller. */
export class ToolFailure extends Error {
  readonly details: unknown

  constructor(message: string, details?: unknown) {
    super(message)
    this.details = details
  }
}
