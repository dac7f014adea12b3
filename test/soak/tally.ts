/** A question with a word that is nobody else's, and who is to answer it. */
export interface Mark {
  readonly mark: string
  readonly server: string
}

const EXCERPT = 300

/** What came of all visits. */
export class Tally {
  /** Visits of each kind, and endings that are worth counting. */
  readonly counts: Record<string, number> = {}
  /** No answer, or one that is none. */
  readonly lost: string[] = []
  /** Somebody else's answer. */
  readonly crossed: string[] = []
  /** From when a call was due until it was answered, in milliseconds. */
  readonly times: number[] = []
  #marks = 0

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }

  nextMark(): string {
    return `mark-${++this.#marks}-`
  }

  /** Every answer has to carry the words of its question, and nobody else's. */
  judge(text: string, { mark, server }: Mark): boolean {
    if (!this.judgePart(text, mark)) return false
    const isOwn = text.includes(mark) && text.includes(`${server}\\"`)
    if (isOwn) this.count('answered')
    else this.lost.push(`${mark} of ${server} got ${text.slice(0, EXCERPT)}`)
    return isOwn
  }

  /** The same of something that need not be a whole answer. */
  judgePart(text: string, mark: string): boolean {
    const other = text.match(/mark-\d+-/g)?.find(found => found !== mark)
    if (other !== undefined) this.crossed.push(`${mark} got ${other}: ${text.slice(0, EXCERPT)}`)
    return other === undefined
  }
}
