const MOST_BYTES = 32 * 1024
const MOST_LINES = 20
const LONGEST_LINE = 4096

/**
 * Keeps the end of what a server writes to standard error, to explain a failure. The text is split and masked only when
 * it is read, which is rare.
 */
export class StderrTail {
  readonly #hide: (text: string) => string
  #tail = Buffer.alloc(0)
  #isCut = false

  /** `hide` masks secrets in a text. */
  constructor(hide: (text: string) => string) {
    this.#hide = hide
  }

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.#tail, chunk])
    this.#isCut ||= all.length > MOST_BYTES
    // A slice would keep the whole chunk in memory, so the bytes are copied.
    this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - MOST_BYTES)))
  }

  get lines(): readonly string[] {
    const lines = this.#tail.toString('utf8').split(/\r?\n/)
    // An incomplete first line is dropped: the cut may have split a secret, which would then not be recognised and
    // masked.
    const whole = this.#isCut ? lines.slice(1) : lines
    return whole
      .filter(line => line !== '')
      .slice(-MOST_LINES)
      .map(line => this.#hide(line).slice(0, LONGEST_LINE))
  }
}
