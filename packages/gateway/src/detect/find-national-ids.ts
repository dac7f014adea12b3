import type { Finding } from './finding.ts'
import { NATIONAL_IDS, type NationalId } from './national-ids.ts'
import { hasCue } from './surroundings.ts'

const ANY_CUE = new RegExp(NATIONAL_IDS.flatMap(({ cue }) => cue?.source ?? []).join('|'), 'i')
/** What numbers look like that are known without a word before them. The shortest are British and Spanish. */
const MAY_STAND_ALONE = /[\dA-Z][\dA-Z .+-]{8}/
const NONE: readonly Finding[] = []

/** Numbers that states give people: by checksum where there is one, else by the words before them. */
export function findNationalIds(text: string): readonly Finding[] {
  const mayStandAlone = MAY_STAND_ALONE.test(text)
  const isCued = ANY_CUE.test(text)
  // Most texts have neither the one nor the other.
  if (!mayStandAlone && !isCued) return NONE
  return NATIONAL_IDS.filter(({ cue }) =>
    cue === undefined ? mayStandAlone : isCued && cue.test(text),
  ).flatMap(rule => findAll(rule, text))
}

function findAll({ id, pattern, judge, cue, confidence }: NationalId, text: string): readonly Finding[] {
  const found: Finding[] = []
  for (const { 0: written, index } of text.matchAll(pattern)) {
    const place = { start: index, end: index + written.length }
    if (judge !== undefined && !judge(written.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase())) continue
    if (cue !== undefined && !hasCue(text, place, { before: cue })) continue
    found.push({ rule: id, ...place, confidence })
  }
  return found
}
