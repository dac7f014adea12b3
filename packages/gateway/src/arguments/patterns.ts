import { RE2JS } from 're2js'
import { BUDGET, type Budget } from './budget.ts'
import { type Answer, NO, UNKNOWN, YES } from './kinds.ts'

interface Pattern {
  readonly matcher: RE2JS
  /**
   * Cost per character, in units, in the worst case, in which the engine runs its whole program for every character.
   */
  readonly unitsPerCharacter: number
  worked: number
}

const MAX_KEPT = 100
/**
 * Units of work after which a pattern is compiled again, because a compiled pattern's internal cache grows up to 8 MB.
 */
const MAX_WORK = 1_000_000
const UNITS_TO_COMPILE = 2_000
const UNITS_PER_INSTRUCTION = 100

/**
 * Runs the regular expressions of one schema. The patterns come from the server and the texts from the agent, so they
 * never run on JavaScript's backtracking engine, where `(a+)+$` can take forever. RE2 takes time proportional to
 * pattern × text, and even that is charged to the budget before the match. Patterns that RE2 does not support
 * (look-ahead, back-references) are left to the server.
 */
export class Patterns {
  readonly #known = new Map<string, Pattern | 'unreadable'>()

  matches(source: string, text: string, budget: Budget): Answer {
    budget.spend(1)
    const pattern = this.#find(source, budget)
    if (pattern === undefined) return UNKNOWN
    const cost = Math.ceil(text.length * pattern.unitsPerCharacter)
    if (!budget.canAfford(cost)) return UNKNOWN
    budget.spend(cost)
    pattern.worked += cost
    if (pattern.worked > MAX_WORK) this.#known.delete(source)
    return pattern.matcher.test(text) ? YES : NO
  }

  #find(source: string, budget: Budget): Pattern | undefined {
    const known = this.#known.get(source)
    if (known !== undefined) return known === 'unreadable' ? undefined : known
    budget.spend(Math.min(source.length, MAX_LENGTH))
    const translated = translatePattern(source)
    if (translated === undefined) return this.#keep(source, undefined)
    const cost = UNITS_TO_COMPILE + translated.size * UNITS_PER_INSTRUCTION
    // A pattern that alone exceeds the whole budget is the schema's fault, not the arguments', so it is not checked.
    if (cost > BUDGET) return this.#keep(source, undefined)
    if (!budget.canAfford(cost)) return undefined
    budget.spend(cost)
    return this.#keep(source, compile(translated.text))
  }

  #keep(source: string, pattern: Pattern | undefined): Pattern | undefined {
    if (this.#known.size >= MAX_KEPT) this.#known.clear()
    this.#known.set(source, pattern ?? 'unreadable')
    return pattern
  }
}

function compile(text: string): Pattern | undefined {
  try {
    const matcher = RE2JS.compile(text)
    return { matcher, unitsPerCharacter: 0.25 + matcher.programSize() / 32, worked: 0 }
  } catch {
    return undefined
  }
}

interface Translated {
  readonly text: string
  /** The estimated size of the compiled program, in instructions. */
  readonly size: number
}

const TOKEN =
  /\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{\w{1,64}\}|\\.|\{\d*(?:,\d*)?\}|./gsu
/** Characters that `\s` matches in JavaScript but not in RE2. */
const MORE_SPACE =
  '\\v\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const MAX_LENGTH = 2_000

/**
 * Translates a schema's pattern from ECMAScript to RE2. Undefined if the pattern's meaning depends on the server's
 * language: `\Z` is an anchor in Python and a letter in JavaScript. (`.` is not translated, although in RE2 it also
 * matches `\r`.)
 */
export function translatePattern(source: string): Translated | undefined {
  if (source.length > MAX_LENGTH) return undefined
  const size = new SizeEstimate()
  let text = ''
  let isInClass = false
  let previous = ''
  for (const [token] of source.matchAll(TOKEN)) {
    const written = token.length > 1 && token.startsWith('\\') ? translateEscape(token, isInClass) : token
    if (written === undefined) return undefined
    if (isInClass) {
      // `[]` and `[^]` are complete classes in JavaScript, but the beginning of one in RE2.
      if (token === ']' && (previous === '[' || previous === '[^')) return undefined
      text += token === '[' ? '\\[' : written
      isInClass = token !== ']'
      size.addToClass(token)
      previous = token === '^' && previous === '[' ? '[^' : ''
    } else {
      if (token === '\\' || token.startsWith('{,') || token === '{}') return undefined
      text += written
      isInClass = token === '['
      previous = token
      size.add(token)
    }
  }
  return isInClass ? undefined : { text, size: size.total }
}

function translateEscape(token: string, isInClass: boolean): string | undefined {
  const what = token[1] ?? ''
  if (token.length > 2) return translateCode(token, what)
  if (what === 's') return isInClass ? `\\s${MORE_SPACE}` : `[\\s${MORE_SPACE}]`
  if (what === 'S' && !isInClass) return `[^\\s${MORE_SPACE}]`
  if (what === 'b' && isInClass) return '\\x08'
  if (/[dDwWSbBtnvfr]/.test(what)) return token
  if (/[a-zA-Z0-9]/.test(what)) return undefined
  return /[ -~]/.test(what) ? token : what
}

/** Translates an escape that contains a code, such as `\u0041`, `\x41`, `\cA` or `\p{Lu}`. */
function translateCode(token: string, what: string): string | undefined {
  if (what === 'c') return `\\x{${((token.codePointAt(2) ?? 0) % 32).toString(16)}}`
  if (what !== 'u') return token
  const digits = token.replaceAll(/[^0-9a-fA-F]/g, '')
  const isHalf = /^d[89a-f]..$/i.test(digits)
  return isHalf ? undefined : `\\x{${digits}}`
}

/** Returns the estimated size of a token. A Unicode property compiles to about a hundred character ranges. */
function sizeOf(token: string): number {
  return /^\\[pP]/.test(token) ? 20 : 1
}

/**
 * Estimates the size of a compiled pattern. RE2 expands counted loops, so `(…){1000}` is a thousand times the size of
 * its content.
 */
class SizeEstimate {
  readonly #groups: number[] = [0]
  #last = 0

  add(token: string): void {
    const counts = /^\{(\d+)(?:,(\d*))?\}$/.exec(token)
    if ('*+?'.includes(token)) this.#last += 1
    else if (counts) this.#last *= Math.max(Number(counts[1]) + 1, Number(counts[2] ?? 0))
    else if (token === '(') {
      this.#close()
      this.#groups.push(0)
    } else if (token === ')') {
      this.#close()
      this.#last = 2 + (this.#groups.length > 1 ? (this.#groups.pop() ?? 0) : 0)
    } else {
      this.#close()
      this.#last = sizeOf(token)
    }
  }

  addToClass(token: string): void {
    this.#last += sizeOf(token) - 1
  }

  get total(): number {
    this.#close()
    return this.#groups.reduce((sum, size) => sum + size, 0)
  }

  #close(): void {
    this.#groups.push((this.#groups.pop() ?? 0) + this.#last)
    this.#last = 0
  }
}
