/** A form that a person must fill in before the call can continue. */
export interface Question {
  readonly key: string
  readonly message: string
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * Thrown to end a run of a tool that asks a question. In MCP, questions are asked between two requests rather than
 * during one, so the tool's function runs again from the start once the answer is there.
 */
export class QuestionOpen extends Error {
  readonly question: Question

  constructor(question: Question) {
    super('waiting for an answer')
    this.question = question
  }
}

/** Thrown by `ctx.fail`. The message is for the caller. */
export class ToolFailure extends Error {
  readonly details: unknown

  constructor(message: string, details?: unknown) {
    super(message)
    this.details = details
  }
}
