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
        // Numbers are searched as well, because they can be card or account numbers.
        const found = typeof value === 'boolean' ? [] : searchOnce(String(value), search, reading)
        const hit = found.find(one => one.confidence >= params.min_confidence)
        return hit && `contains personal data (${hit.kind})`
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
      return hit && `contains what looks like a secret (${hit.rule})`
    },
})

/** A way to search a text. Rules whose searches have the same name share the results. */
interface Search<F extends Finding> {
  readonly name: string
  readonly find: (text: string, reading: Reading) => readonly F[]
  /** Returns the cost of a search, which is spent before the search starts. */
  readonly effortFor: (text: string) => number
}

const SECRETS: Search<Finding> = {
  name: 'secrets',
  find: (text, reading) => findSecrets(text, () => reading.spend(COST.look)),
  effortFor: effortForSecrets,
}

const NONE: readonly never[] = []

/**
 * Searches a text once for all rules that share a search. If that would exceed the budget, nothing is found; the
 * reading records this, and the rule then reports a violation.
 */
function searchOnce<F extends Finding>(text: string, search: Search<F>, reading: Reading): readonly F[] {
  const found = reading.once({
    name: search.name,
    text,
    effortFor: () => 0,
    make: () => {
      const plain = reading.plain(text)
      // The added length is charged too, because normalisation can make a text many times longer.
      const more = Math.max(0, plain.length - text.length)
      return reading.spend(more + search.effortFor(plain)) ? search.find(plain, reading) : NONE
    },
  })
  return found ?? NONE
}
