import { RE2JS } from 're2js'
import { ConditionFault, type Meter } from './meter.ts'

const MAX_PATTERN = 1_000

interface Pattern {
  readonly matcher: RE2JS
  readonly unitsPerCharacter: number
  worked: number
}

const compiled = new Map<string, Pattern>()
const MAX_COMPILED = 10_000
/** What a pattern remembers of the texts it has seen grows up to 8 MB; after this much work it is compiled afresh. */
const MAX_WORK = 50_000_000

/** What is wrong with a regular expression; undefined if nothing is. */
export function findPatternFault(source: string): string | undefined {
  if (source.length > MAX_PATTERN) return `the pattern is longer than ${MAX_PATTERN} characters`
  try {
    compile(source)
    return undefined
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n')
    return why.replace(/^error parsing regexp: /, '')
  }
}

/** Whether a regular expression is found in a text, in time proportional to its length. */
export function isFound(text: string, source: string, meter: Meter): boolean {
  const pattern = compile(source)
  const units = text.length * pattern.unitsPerCharacter
  meter.spend(units)
  pattern.worked += units
  if (pattern.worked > MAX_WORK) compiled.delete(source)
  return pattern.matcher.test(text)
}

function compile(source: string): Pattern {
  const known = compiled.get(source)
  if (known !== undefined) return known
  if (source.length > MAX_PATTERN) throw new ConditionFault('re() was given too long a pattern')
  const matcher = RE2JS.compile(source)
  const pattern = { matcher, unitsPerCharacter: costOf(source, matcher.programSize()), worked: 0 }
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(source, pattern)
  return pattern
}

/**
 * Most patterns take the same few nanoseconds for every character. Those that count (`a[ab]{14}`) can be made to go
 * through their whole program for each; both are measured.
 */
function costOf(source: string, size: number): number {
  return /\{\d/.test(source) ? 10 + size * 40 : 10 + size / 4
}
