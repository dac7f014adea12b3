const MOST_BYTES = 32 * 1024
const MOST_LINES = 20
const LONGEST_LINE = 4096

/**
 * The end of what a server writes for people, for whoever wants to know why it failed. Nobody may ever want to, so that it is
 * taken apart, and looked through, when somebody does.
 */
export class LastWords {
  readonly #hide: (text: string) => string
  #tail = Buffer.alloc(0)
  #isCut = false

  /** `hide` takes out what nobody is to read. */
  constructor(hide: (text: string) => string) {
    this.#hide = hide
  }

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.#tail, chunk])
    this.#isCut ||= all.length > MOST_BYTES
    // A copy: the rest of a chunk would live as long as its end.
    this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - MOST_BYTES)))
  }

  get lines(): readonly string[] {
    const lines = this.#tail.toString('utf8').split(/\r?\n/)
    // What a line began with may be what was to be hidden.
    const whole = this.#isCut ? lines.slice(1) : lines
    return whole
      .filter(line => line !== '')
      .slice(-MOST_LINES)
      .map(line => this.#hide(line).slice(0, LONGEST_LINE))
  }
}
