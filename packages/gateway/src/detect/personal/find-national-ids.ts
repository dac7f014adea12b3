import { codeAt, isAlphanumeric, isDigit, isUpperCase, type Kind, nextPlace } from '../text/characters.ts'
import type { Finding } from '../text/finding.ts'
import { hasCue, watchFor } from '../text/surroundings.ts'
import { NATIONAL_IDS, type NationalId } from './national-ids.ts'

const ANY_CUE = new RegExp(NATIONAL_IDS.flatMap(({ cue }) => cue?.source ?? []).join('|'), 'gi')
const BEGINNINGS: Kind = { pattern: /[\dA-Z]/g, isOne: code => isDigit(code) || isUpperCase(code) }
const LONGEST_BEGINNING = 20
const NONE: readonly Placed[] = []

interface Placed {
  readonly rule: NationalId
  readonly place: number
  readonly pattern: RegExp
}

/** The rules by how many digits, or capital letters, their numbers begin with. */
const BY_DIGITS = groupBy(({ digits }) => digits)
const BY_LETTERS = groupBy(({ letters }) => letters)

function groupBy(counts: (rule: NationalId) => readonly number[]): readonly (readonly Placed[])[] {
  const placed = NATIONAL_IDS.map((rule, place) => {
    return { rule, place, pattern: new RegExp(rule.pattern.source, 'y') }
  })
  return Array.from({ length: LONGEST_BEGINNING + 1 }, (_, count) =>
    placed.filter(({ rule }) => counts(rule).includes(count)),
  )
}

/** Where each rule goes on: its matches do not overlap. Kept from text to text, since most are short. */
const done = new Uint32Array(NATIONAL_IDS.length)

/**
 * Numbers that states give people: by checksum where there is one, else by the words before them. One pass over the
 * text: how a number begins tells the few rules that it can be for.
 */
export function findNationalIds(text: string): readonly Finding[] {
  const found: Finding[] = []
  const isNearCue = watchFor(ANY_CUE, text)
  done.fill(0)
  for (let at = nextPlace(BEGINNINGS, text, 0); at < text.length; at = nextPlace(BEGINNINGS, text, at + 1)) {
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
  while (count <= LONGEST_BEGINNING && isSame(codeAt(text, at + count))) count += 1
  return (isNumber ? BY_DIGITS : BY_LETTERS)[count] ?? NONE
}

function isOne({ judge, cue }: NationalId, text: string, place: { start: number; end: number }): boolean {
  const plain = text
    .slice(place.start, place.end)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
  return judge(plain) && (cue === undefined || hasCue(text, place, { before: cue }))
}
