/** A form that somebody must fill in before the call can go on. */
export interface Question {
  readonly key: string
  readonly message: string
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * Ends this run of a tool. MCP asks between two requests, not in the midst of one, so that a tool is run again from
 * its beginning when the answer is there.
 */
export class QuestionOpen extends Error {
  readonly question: Question

  constructor(question: Question) {
    super('waiting for an answer')
    this.question = question
  }
}

/** `ctx.fail`: an ending that the caller is meant to read. */
export class ToolFailure extends Error {
  readonly details: unknown

  constructor(message: string, details?: unknown) {
    super(message)
    this.details = details
  }
}
