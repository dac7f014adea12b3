import { RE2JS } from 're2js'
import { type Answer, NO, UNKNOWN, YES } from './answer.ts'
import { BUDGET, type Budget } from './budget.ts'
import { MAX_LENGTH, translatePattern } from './translate-pattern.ts'

interface Pattern {
  readonly matcher: RE2JS
  /** Units for each character in the worst case, where every character takes the engine through its whole program. */
  readonly unitsPerCharacter: number
  worked: number
}

const MAX_KEPT = 100
/** What a pattern remembers of the texts it has seen grows up to 8 MB; after this much work it is compiled afresh. */
const MAX_WORK = 1_000_000
const UNITS_TO_COMPILE = 2_000
const UNITS_PER_INSTRUCTION = 100

/**
 * The regular expressions of one schema. They are the server's and the texts are the agent's, so they never run on JavaScript's
 * own engine, which goes back to try again: `(a+)+$` takes it for ever. RE2 takes time in proportion to pattern × text, and even
 * that is paid for beforehand. What RE2 cannot say (look-ahead, back-references) is not checked; the server does that itself.
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
    // One that no arguments leave enough for is the schema's fault, not theirs.
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
