import { type Finding, settle } from '../text/finding.ts'
import { findCards } from './find-cards.ts'
import { findEmails } from './find-emails.ts'
import { findIbans } from './find-ibans.ts'
import { findIpAddresses } from './find-ip-addresses.ts'
import { findNationalIds } from './find-national-ids.ts'
import { findPhones } from './find-phones.ts'

/** The kinds of personal data, by the names that guardrails use. */
export const PII_KINDS = ['email', 'phone', 'card', 'iban', 'national_id', 'ip_address'] as const

export type PiiKind = (typeof PII_KINDS)[number]

export interface PiiFinding extends Finding {
  readonly kind: PiiKind
}

interface Detector {
  readonly kind: PiiKind
  readonly find: (text: string) => readonly Finding[]
  /** Minimum length of text with this kind of data. Most arguments are shorter, so they are not searched. */
  readonly least: number
}

const DETECTORS: readonly Detector[] = [
  { kind: 'phone', find: findPhones, least: 7 },
  { kind: 'card', find: findCards, least: 12 },
  { kind: 'iban', find: findIbans, least: 15 },
  { kind: 'national_id', find: findNationalIds, least: 9 },
  { kind: 'ip_address', find: findIpAddresses, least: 7 },
]

const ALL_KINDS: ReadonlySet<PiiKind> = new Set(PII_KINDS)

/**
 * Finds personal data that has a recognisable form. Names and postal addresses have none, and a rule for them would be
 * wrong more often than right.
 *
 * @example
 * findPii('call +44 20 7946 0958') // => [{ rule: 'phone', kind: 'phone', start: 5, end: 21, confidence: 0.9 }]
 */
export function findPii(text: string, kinds: ReadonlySet<PiiKind> = ALL_KINDS): readonly PiiFinding[] {
  const found: PiiFinding[] = []
  // Added one at a time, because there can be more findings than a function call accepts as arguments.
  if (kinds.has('email')) for (const finding of findEmails(text)) found.push(withKind(finding, 'email'))
  if (hasDigits(text)) {
    for (const { kind, find, least } of DETECTORS) {
      if (text.length < least || !kinds.has(kind)) continue
      for (const finding of find(text)) found.push(withKind(finding, kind))
    }
  }
  return settle(found)
}

/**
 * Copies the members one by one, because a spread is several times slower, and there can be a hundred thousand
 * findings.
 */
function withKind({ rule, start, end, confidence }: Finding, kind: PiiKind): PiiFinding {
  return { rule, start, end, confidence, kind }
}

/** Minimum number of digits in a text that can contain personal numbers. */
const MIN_DIGITS = 4

function hasDigits(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57 && ++digits >= MIN_DIGITS) return true
  }
  return false
}
