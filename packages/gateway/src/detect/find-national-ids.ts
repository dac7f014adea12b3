import type { Finding } from './finding.ts'
import { NATIONAL_IDS, type NationalId } from './national-ids.ts'
import { hasCue } from './surroundings.ts'

/** Numbers that states give people: by checksum where there is one, else by the words before them. */
export function findNationalIds(text: string): readonly Finding[] {
  const digits = countDigits(text)
  if (digits < FEWEST) return NONE
  const rules = digits < FEWEST_ALONE ? CUED : NATIONAL_IDS
  return rules.flatMap(rule => {
    // The cue is looked for in the whole text first: most texts have none, and then nothing else is done.
    return rule.cue === undefined || rule.cue.test(text) ? findAll(rule, text) : []
  })
}

const NONE: readonly Finding[] = []
const CUED = NATIONAL_IDS.filter(({ cue }) => cue !== undefined)
/** No such number has fewer digits, and none that is known without a word before it. */
const FEWEST = 4
const FEWEST_ALONE = 6

/** No further than it matters. */
function countDigits(text: string): number {
  let digits = 0
  for (let at = 0; at < text.length && digits < FEWEST_ALONE; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) digits += 1
  }
  return digits
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
