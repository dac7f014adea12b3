import { LIKELY } from './evaluate-secrets.ts'
import type { Detectors } from './load-detectors.ts'
import type { Sample, Span } from './load-rows.ts'
import { type Mistake, type Score, sumScores, toScore } from './score.ts'

const KINDS = ['email', 'phone', 'card', 'iban', 'national_id', 'ip_address'] as const

type Kind = (typeof KINDS)[number]

const KIND_OF_TYPE: ReadonlyMap<string, Kind> = new Map([
  ['EMAIL_ADDRESS', 'email'],
  ['PHONE_NUMBER', 'phone'],
  ['CREDIT_CARD', 'card'],
  ['IBAN_CODE', 'iban'],
  ['IBAN', 'iban'],
  ['IP_ADDRESS', 'ip_address'],
])
const NATIONAL =
  /SSN|PASSPORT|DRIVER|ITIN|NHS|NINO|(?:^|_)(?:NIF|NIE|PAN|TFN|SIN|BSN|CPF|NRIC)(?:_|$)|AADHAAR|FISCAL|PESEL|NATIONAL_ID|ID_NUMBER|PERSONAL_IDENTITY/

/** The kind for a label. Names, places and dates have no fixed form and are not scored. */
export function kindOf(type: string): Kind | undefined {
  return KIND_OF_TYPE.get(type) ?? (NATIONAL.test(type) ? 'national_id' : undefined)
}

export interface PiiResults {
  readonly total: Score
  readonly kinds: readonly Score[]
  readonly misses: readonly Mistake[]
  readonly falseAlarms: readonly Mistake[]
}

/** By location: a finding is right if it overlaps a labelled span of its kind, and wrong if it overlaps none. */
export function evaluatePii(rows: readonly Sample[], { findPii }: Detectors): PiiResults {
  const misses: (Mistake & { readonly of: string })[] = []
  const falseAlarms: (Mistake & { readonly of: string })[] = []
  const hits: Kind[] = []
  for (const { text, spans, place } of rows) {
    const marked = spans.flatMap(span => toMarked(span))
    const found = findPii(text).filter(({ confidence }) => confidence >= LIKELY)
    for (const span of marked) {
      const hit = found.some(one => one.kind === span.kind && overlaps(one, span))
      if (hit) hits.push(span.kind)
      else misses.push({ of: span.kind, place, kind: span.kind, text: around(text, span), rules: [] })
    }
    for (const one of found) {
      if (marked.some(span => one.kind === span.kind && overlaps(one, span))) continue
      falseAlarms.push({ of: one.kind, place, kind: one.kind, text: around(text, one), rules: [one.rule] })
    }
  }
  const kinds = KINDS.map(kind =>
    toScore(kind, {
      hits: hits.filter(hit => hit === kind).length,
      falseAlarms: falseAlarms.filter(({ of }) => of === kind).length,
      misses: misses.filter(({ of }) => of === kind).length,
    }),
  )
  return { total: sumScores('structured PII', kinds), kinds, misses, falseAlarms }
}

function toMarked(span: Span): readonly (Span & { readonly kind: Kind })[] {
  const kind = kindOf(span.type)
  return kind === undefined ? [] : [{ ...span, kind }]
}

function overlaps(a: Pick<Span, 'start' | 'end'>, b: Pick<Span, 'start' | 'end'>): boolean {
  return a.start < b.end && b.start < a.end
}

const AROUND = 30

function around(text: string, { start, end }: Pick<Span, 'start' | 'end'>): string {
  return text.slice(Math.max(0, start - AROUND), end + AROUND)
}
