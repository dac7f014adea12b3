import { isJsonObject } from '../protocol/messages.ts'
import { exactDigits } from '../protocol/parse-json.ts'

const CUT = '…'
const MAX_TEXT = 200
const MAX_NAME = 64
/** Keys whose values are dropped first. A value that is a schema is kept, because a field can be named `title`. */
const PROSE = new Set(['description', 'title', '$comment', 'markdownDescription'])

/** The forms to try in turn, from the complete value to the shortest excerpt, which has only the top-level names. */
const ATTEMPTS = [
  { depth: 8, hasProse: true },
  { depth: 8, hasProse: false },
  { depth: 4, hasProse: false },
  { depth: 3, hasProse: false },
  { depth: 2, hasProse: false },
] as const

/**
 * Copies an untrusted value, cut so that its JSON has at most about `limit` characters. Numbers that the parser keeps
 * as marked strings become numbers again, because the marks must not leave the process.
 */
export function cutJson(value: unknown, limit: number): unknown {
  let copied: unknown
  for (const attempt of ATTEMPTS) {
    const copy = new Copy(limit, attempt.hasProse)
    copied = copy.of(value, attempt.depth)
    if (!copy.isFull) break
  }
  return copied
}

/** The number of characters for a pair of brackets and the ellipsis. */
const BRACKETS = 6

class Copy {
  isFull = false
  #left: number
  readonly #hasProse: boolean

  constructor(limit: number, hasProse: boolean) {
    this.#left = limit
    this.#hasProse = hasProse
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#pay(this.#text(value))
    if (Array.isArray(value)) return this.#list(value, depth)
    if (isJsonObject(value)) return this.#object(value, depth)
    return this.#pay(value === undefined || typeof value === 'bigint' ? String(value) : value)
  }

  #text(text: string): string | number {
    const digits = exactDigits(text)
    if (digits !== undefined && Number.isFinite(Number(digits))) return Number(digits)
    return shorten(digits ?? text, MAX_TEXT)
  }

  #list(items: readonly unknown[], depth: number): unknown {
    this.#left -= BRACKETS
    if (depth === 0 && items.length > 0) return [CUT]
    const copies: unknown[] = []
    for (const item of items) {
      const copy = this.#try(() => this.of(item, depth - 1))
      copies.push(copy === undefined ? CUT : copy)
      if (copy === undefined) break
    }
    return copies
  }

  #object(object: Readonly<Record<string, unknown>>, depth: number): unknown {
    this.#left -= BRACKETS
    const keys = Object.keys(object)
    if (depth === 0 && keys.length > 0) return { [CUT]: CUT }
    const entries: (readonly [string, unknown])[] = []
    for (const key of keys) {
      if (!this.#hasProse && PROSE.has(key) && typeof object[key] === 'string') continue
      const entry = this.#try(
        () => [this.#pay(shorten(key, MAX_NAME)), this.of(object[key], depth - 1)] as const,
      )
      entries.push(entry ?? [CUT, CUT])
      if (entry === undefined) break
    }
    return Object.fromEntries(entries) // unlike an assignment, it treats `__proto__` as an ordinary key
  }

  /** Makes a copy. If it does not fit, returns undefined and takes nothing from the budget. */
  #try<T>(copy: () => T): T | undefined {
    const before = this.#left
    const copied = copy()
    if (this.#left >= 0) return copied
    this.#left = before
    this.isFull = true
    return undefined
  }

  #pay<T>(value: T): T {
    this.#left -= (JSON.stringify(value)?.length ?? 0) + 1
    return value
  }
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}${CUT}` : text
}
