/** A question with a unique word, and the server that must answer it. */
export interface Mark {
  readonly mark: string
  readonly server: string
}

const EXCERPT = 300

/** The results of all visits. */
export class Tally {
  /** The number of visits of each kind, and of notable endings. */
  readonly counts: Record<string, number> = {}
  /** Missing or invalid answers. */
  readonly lost: string[] = []
  /** Answers to another question. */
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

  /** Every answer must contain the word of its question and no other. */
  judge(text: string, { mark, server }: Mark): boolean {
    if (!this.judgePart(text, mark)) return false
    const isOwn = text.includes(mark) && text.includes(`${server}\\"`)
    if (isOwn) this.count('answered')
    else this.lost.push(`${mark} of ${server} got ${text.slice(0, EXCERPT)}`)
    return isOwn
  }

  /** The same for a response that may be incomplete. */
  judgePart(text: string, mark: string): boolean {
    const other = text.match(/mark-\d+-/g)?.find(found => found !== mark)
    if (other !== undefined) this.crossed.push(`${mark} got ${other}: ${text.slice(0, EXCERPT)}`)
    return other === undefined
  }
}
