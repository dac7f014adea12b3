import { z } from 'zod'
import { findPii, PII_KINDS, type PiiFinding } from '../../../detect/personal/find-pii.ts'
import { findSecrets } from '../../../detect/secrets/find-secrets.ts'
import { type Finding, LIKELY } from '../../../detect/text/finding.ts'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { COST, effortForPii, effortForSecrets } from '../values/effort.ts'
import type { Reading } from '../values/reading.ts'
import { defineFieldRule } from '../values/rule.ts'

const confidence = z.number().min(0).max(1).default(LIKELY)

export const piiDetect = defineFieldRule({
  name: 'pii_detect',
  readsTexts: true,
  fields: EVERYTHING,
  looksAt: 'linked leaves',
  params: { kinds: z.array(z.enum(PII_KINDS)).min(1).optional(), min_confidence: confidence },
  compile: params => {
    const kinds = new Set(params.kinds ?? PII_KINDS)
    const search: Search<PiiFinding> = {
      name: [...kinds].toSorted().join(),
      find: text => findPii(text, kinds),
      effortFor: effortForPii,
    }
    return reading =>
      ({ value }) => {
        // A number can be a card or an account too.
        const found = typeof value === 'boolean' ? [] : searchOnce(String(value), search, reading)
        const hit = found.find(one => one.confidence >= params.min_confidence)
        return hit && `holds personal data (${hit.kind})`
      }
  },
})

export const secretDetect = defineFieldRule({
  name: 'secret_detect',
  readsTexts: true,
  fields: EVERYTHING,
  looksAt: 'linked texts',
  params: { min_confidence: confidence },
  compile:
    params =>
    reading =>
    ({ value }) => {
      const found = searchOnce(value, SECRETS, reading)
      const hit = found.find(one => one.confidence >= params.min_confidence)
      return hit && `holds what looks like a secret (${hit.rule})`
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

const NONE: readonly never[] = []

/** Nothing, where that would take too much: the reading remembers that, and the rule objects. */
function searchOnce<F extends Finding>(text: string, search: Search<F>, reading: Reading): readonly F[] {
  const found = reading.once({
    name: search.name,
    text,
    effortFor: () => 0,
    make: () => {
      const plain = reading.plain(text)
      // What is plain may be many times as long as what came.
      const more = Math.max(0, plain.length - text.length)
      return reading.spend(more + search.effortFor(plain)) ? search.find(plain, reading) : NONE
    },
  })
  return found ?? NONE
}
