import { codeAt, isAlphanumeric, isDigit, isUpperCase, type Kind, nextPlace } from '../text/characters.ts'
import type { Finding } from '../text/finding.ts'
import { hasCue, watchFor } from '../text/surroundings.ts'
import { NATIONAL_IDS, type NationalId } from './national-ids.ts'

const ANY_CUE = new RegExp(NATIONAL_IDS.flatMap(({ cue }) => cue?.source ?? []).join('|'), 'gi')
const STARTS: Kind = { pattern: /[\dA-Z]/g, isOne: code => isDigit(code) || isUpperCase(code) }
const LONGEST_START = 20
const NONE: readonly Placed[] = []

interface Placed {
  readonly rule: NationalId
  readonly place: number
  readonly pattern: RegExp
}

/** The rules, by the number of digits or of capital letters that their ids start with. */
const BY_DIGITS = groupBy(({ digits }) => digits)
const BY_LETTERS = groupBy(({ letters }) => letters)

function groupBy(counts: (rule: NationalId) => readonly number[]): readonly (readonly Placed[])[] {
  const placed = NATIONAL_IDS.map((rule, place) => {
    return { rule, place, pattern: new RegExp(rule.pattern.source, 'y') }
  })
  return Array.from({ length: LONGEST_START + 1 }, (_, count) =>
    placed.filter(({ rule }) => counts(rule).includes(count)),
  )
}

/**
 * For each rule, the offset at which its search continues, because its matches do not overlap. The array is reused, because
 * most texts are short.
 */
const done = new Uint32Array(NATIONAL_IDS.length)

/**
 * Finds national identity numbers, by their checksum if they have one, otherwise by the words before them. Works in one
 * pass: the start of a number selects the few rules that can match.
 */
export function findNationalIds(text: string): readonly Finding[] {
  const found: Finding[] = []
  const isNearCue = watchFor(ANY_CUE, text)
  done.fill(0)
  for (let at = nextPlace(STARTS, text, 0); at < text.length; at = nextPlace(STARTS, text, at + 1)) {
    const rules = rulesAt(text, at)
    for (const { rule, place, pattern } of rules) {
      if (at < (done[place] ?? 0) || (rule.cue !== undefined && !isNearCue(at))) continue
      pattern.lastIndex = at
      if (!pattern.test(text)) continue
      const end = pattern.lastIndex
      done[place] = end
      if (isOne(rule, text, { start: at, end }))
        found.push({ rule: rule.id, start: at, end, confidence: rule.confidence })
    }
  }
  return found
}

function rulesAt(text: string, at: number): readonly Placed[] {
  const code = codeAt(text, at)
  const isNumber = isDigit(code)
  if (isAlphanumeric(codeAt(text, at - 1))) return NONE
  const isSame = isNumber ? isDigit : isUpperCase
  let count = 1
  while (count <= LONGEST_START && isSame(codeAt(text, at + count))) count += 1
  return (isNumber ? BY_DIGITS : BY_LETTERS)[count] ?? NONE
}

function isOne({ judge, cue }: NationalId, text: string, place: { start: number; end: number }): boolean {
  const plain = text
    .slice(place.start, place.end)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
  return judge(plain) && (cue === undefined || hasCue(text, place, { before: cue }))
}
