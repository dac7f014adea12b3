import { z } from 'zod'
import { findPii, PII_KINDS, type PiiFinding } from '../../../detect/personal/find-pii.ts'
import { findSecrets } from '../../../detect/secrets/find-secrets.ts'
import { type Finding, LIKELY } from '../../../detect/text/finding.ts'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { COST, effortForPii, effortForSecrets } from '../values/effort.ts'
import type { Reading } from '../values/reading.ts'
import { defineRule, fieldParams, readFields } from '../values/rule.ts'

const confidence = z.number().min(0).max(1).default(LIKELY)

/** Personal data in arguments, all kinds or some. */
export const piiDetect = defineRule({
  name: 'pii_detect',
  readsTexts: true,
  params: { ...fieldParams, kinds: z.array(z.enum(PII_KINDS)).min(1).optional(), min_confidence: confidence },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    const kinds = new Set(params.kinds ?? PII_KINDS)
    const search: Search<PiiFinding> = {
      name: [...kinds].toSorted().join(),
      find: text => findPii(text, kinds),
      effortFor: effortForPii,
    }
    return reading => {
      for (const { path, value } of reading.withLinks(reading.leaves(fields))) {
        // A number can be a card or an account too.
        const found = typeof value === 'boolean' ? [] : searchOnce(String(value), search, reading)
        const hit = found.find(one => one.confidence >= params.min_confidence)
        if (hit !== undefined) return { field: path, text: `holds personal data (${hit.kind})` }
      }
      return undefined
    }
  },
})

/** Keys, tokens and passwords in arguments. */
export const secretDetect = defineRule({
  name: 'secret_detect',
  readsTexts: true,
  params: { ...fieldParams, min_confidence: confidence },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    return reading => {
      for (const { path, value } of reading.withLinks(reading.texts(fields))) {
        const found = searchOnce(value, SECRETS, reading)
        const hit = found.find(one => one.confidence >= params.min_confidence)
        if (hit !== undefined) return { field: path, text: `holds what looks like a secret (${hit.rule})` }
      }
      return undefined
    }
  },
})

/** How one rule looks through a text. Rules with searches of one name share what was found. */
interface Search<F extends Finding> {
  readonly name: string
  readonly find: (text: string, reading: Reading) => readonly F[]
  /** What it takes, so that it can be asked for first. */
  readonly effortFor: (text: string) => number
}

const SECRETS: Search<Finding> = {
  name: 'secrets',
  find: (text, reading) => findSecrets(text, () => reading.spend(COST.look)),
  effortFor: effortForSecrets,
}

type Found = Map<string, Map<string, readonly Finding[]>>

const foundBefore = new WeakMap<Reading, Found>()

/** What one call was searched for is not searched for again. */
function foundIn(reading: Reading): Found {
  const known = foundBefore.get(reading)
  if (known !== undefined) return known
  const found: Found = new Map()
  foundBefore.set(reading, found)
  return found
}

const NONE: readonly never[] = []

/** Shorter texts are searched faster than looked up. */
const WORTH_KEEPING = 1000

function searchOnce<F extends Finding>(text: string, search: Search<F>, reading: Reading): readonly F[] {
  if (text.length < WORTH_KEEPING) return searchNow(text, search, reading)
  const found = foundIn(reading)
  const before = found.get(search.name) ?? new Map<string, readonly F[]>()
  found.set(search.name, before)
  const known = before.get(text)
  if (known !== undefined) return known as readonly F[]
  const now = searchNow(text, search, reading)
  before.set(text, now)
  return now
}

/** Nothing, where that would take too much: the reading remembers that, and the rule objects. */
function searchNow<F extends Finding>(text: string, search: Search<F>, reading: Reading): readonly F[] {
  const plain = reading.plain(text)
  // What is plain may be many times as long as what came.
  const more = Math.max(0, plain.length - text.length)
  return reading.spend(more + search.effortFor(plain)) ? search.find(plain, reading) : NONE
}
