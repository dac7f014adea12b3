import { z } from 'zod'
import { findPii, PII_KINDS } from '../../../detect/find-pii.ts'
import { findSecrets } from '../../../detect/find-secrets.ts'
import { LIKELY } from '../../../detect/finding.ts'
import { EVERYTHING } from '../field-path.ts'
import { defineRule, fieldParams, readFields } from '../rule.ts'

const confidence = z.number().min(0).max(1).default(LIKELY)

/** Personal data in arguments, all kinds or some. */
export const piiDetect = defineRule({
  name: 'pii_detect',
  params: { ...fieldParams, kinds: z.array(z.enum(PII_KINDS)).min(1).optional(), min_confidence: confidence },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    const kinds = new Set(params.kinds ?? PII_KINDS)
    return reading => {
      for (const { path, value } of reading.leaves(fields)) {
        // A number can be a card or an account too.
        const found = typeof value === 'boolean' ? [] : findPii(toPlain(String(value)), kinds)
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
  params: { ...fieldParams, min_confidence: confidence },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    return reading => {
      for (const { path, value } of reading.texts(fields)) {
        const hit = findSecrets(toPlain(value)).find(one => one.confidence >= params.min_confidence)
        if (hit !== undefined) return { field: path, text: `holds what looks like a secret (${hit.rule})` }
      }
      return undefined
    }
  },
})

const NOT_ASCII = /[\u0080-\uFFFF]/

/** Without what shows nothing, and with wide letters as plain ones: neither must hide a number or a key. */
function toPlain(text: string): string {
  return NOT_ASCII.test(text) ? text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '') : text
}
