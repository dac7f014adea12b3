import { DocumentError } from './document-error.ts'

/** Maximum number of steps for one document: a few seconds of work. */
const MOST_STEPS = 20_000_000

/**
 * The work that is done for one document. References let a short document ask for any amount of it, and nothing else runs
 * in the meantime.
 */
export class Work {
  #left: number
  /** Schemas that were examined for an end, with the result. */
  readonly endless = new WeakMap<object, boolean>()
  /** Shared schemas that are too long for any tool. */
  readonly tooLong = new Set<string>()

  constructor(steps = MOST_STEPS) {
    this.#left = steps
  }

  /** Throws `DocumentError` if the document needs more steps than any real one. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0)
      throw new DocumentError(
        'the document takes too long to read, because its operations repeat large parts; choose some with "include", or split it',
      )
  }
}
