import { findCards } from './find-cards.ts'
import { findEmails } from './find-emails.ts'
import { findIbans } from './find-ibans.ts'
import { findIpAddresses } from './find-ip-addresses.ts'
import { findNationalIds } from './find-national-ids.ts'
import { findPhones } from './find-phones.ts'
import { type Finding, settle } from './finding.ts'

/** Kinds of personal data, as guardrails name them. */
export const PII_KINDS = ['email', 'phone', 'card', 'iban', 'national_id', 'ip_address'] as const

export type PiiKind = (typeof PII_KINDS)[number]

export interface PiiFinding extends Finding {
  readonly kind: PiiKind
}

const DETECTORS: readonly (readonly [kind: PiiKind, find: (text: string) => readonly Finding[]])[] = [
  ['phone', findPhones],
  ['card', findCards],
  ['iban', findIbans],
  ['national_id', findNationalIds],
  ['ip_address', findIpAddresses],
]

const ALL_KINDS: ReadonlySet<PiiKind> = new Set(PII_KINDS)

/**
 * Personal data that has a form of its own, of all kinds or of some. Names and addresses have none and are not looked for: a rule for
 * them would be wrong more often than right.
 *
 * @example
 * findPii('call +44 20 7946 0958') // => [{ rule: 'phone', kind: 'phone', start: 5, end: 21, confidence: 0.9 }]
 */
export function findPii(text: string, kinds: ReadonlySet<PiiKind> = ALL_KINDS): readonly PiiFinding[] {
  const found: PiiFinding[] = []
  if (kinds.has('email')) found.push(...findEmails(text).map(one => ({ ...one, kind: 'email' as const })))
  if (hasDigits(text)) {
    for (const [kind, find] of DETECTORS) {
      if (!kinds.has(kind)) continue
      for (const finding of find(text)) found.push({ ...finding, kind })
    }
  }
  return settle(found)
}

/** No number that tells anything of a person has fewer. */
const MIN_DIGITS = 4

function hasDigits(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57 && ++digits >= MIN_DIGITS) return true
  }
  return false
}
