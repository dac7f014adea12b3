import { Postings } from './postings.ts'

/** The words of the catalog with a number each; numbers of words that vanished are used again. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []
  readonly #postings: Postings[] = []
  readonly #free: number[] = []
  readonly #byStart = new Map<string, Set<string>>()

  /** Numbers are below this. */
  get capacity(): number {
    return this.#words.length
  }

  numberOf(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  wordOf(number: number): string {
    return this.#words[number] ?? ''
  }

  postingsOf(number: number): Postings {
    return this.#postings[number] ?? NO_POSTINGS
  }

  /** Known words that begin with the same two letters, in no particular order. */
  withSameStart(word: string): Iterable<string> {
    return this.#byStart.get(word.slice(0, 2)) ?? []
  }

  add(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const own = copyText(word)
    const number = this.#free.pop() ?? this.#words.length
    this.#numbers.set(own, number)
    this.#words[number] = own
    this.#postings[number] = new Postings()
    const start = own.slice(0, 2)
    const others = this.#byStart.get(start)
    if (others === undefined) this.#byStart.set(start, new Set([own]))
    else others.add(own)
    return number
  }

  /** Forgets a word without postings: a server that invents words must not leave them behind. */
  forgetEmpty(number: number): void {
    const word = this.#words[number]
    if (word === undefined || this.postingsOf(number).length > 0) return
    if (this.#numbers.get(word) !== number) return
    this.#numbers.delete(word)
    const start = word.slice(0, 2)
    const others = this.#byStart.get(start)
    others?.delete(word)
    if (others?.size === 0) this.#byStart.delete(start)
    this.#free.push(number)
  }
}

const NO_POSTINGS = new Postings()

/** V8 copies anything shorter. */
const SHORTEST_WINDOW = 13

/** A part of a string keeps the whole of it in memory: a word must not hold on to a megabyte of description. */
function copyText(word: string): string {
  if (word.length < SHORTEST_WINDOW) return word
  return String.fromCharCode(...Array.from({ length: word.length }, (_, at) => word.charCodeAt(at)))
}
