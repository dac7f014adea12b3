import type { AuditRow } from '../audit-store.ts'

/** The requests of one series with numbers from `first` to `last`. There can be gaps between the numbers. */
export interface Span {
  readonly series: string
  readonly first: number
  readonly last: number
}

/** Neighbouring numbers in a span are at most this far apart, which limits the length of a span to `LONGEST`. */
const GAP = 16
/** Maximum number of rows in a chunk. */
export const MOST_ROWS = 512
export const LONGEST = GAP * MOST_ROWS

/**
 * Splits a request id into the name of its process and an increasing number. An id in any other form is a series by
 * itself.
 */
export function numberOf(request: string): { readonly series: string; readonly number: number } {
  const dash = request.lastIndexOf('-')
  const digits = dash < 0 ? '' : request.slice(dash + 1)
  return DIGITS.test(digits)
    ? { series: request.slice(0, dash), number: Number.parseInt(digits, 36) }
    : { series: request, number: 0 }
}

/** Matches a number in base 36, in lower case. */
const DIGITS = /^[\da-z]{1,10}$/

/** Groups the requests of some rows into as few spans as possible that include few other requests. */
export function spansOf(rows: readonly Pick<AuditRow, 'request'>[]): Span[] {
  const bySeries = new Map<string, number[]>()
  for (const { request } of rows) {
    const { series, number } = numberOf(request)
    const numbers = bySeries.get(series)
    if (numbers === undefined) bySeries.set(series, [number])
    else numbers.push(number)
  }
  return [...bySeries].flatMap(([series, numbers]) => cluster(numbers).map(span => ({ series, ...span })))
}

function cluster(numbers: number[]): Pick<Span, 'first' | 'last'>[] {
  const spans: { first: number; last: number }[] = []
  for (const number of numbers.sort((a, b) => a - b)) {
    const span = spans.at(-1)
    if (span === undefined || number - span.last > GAP) spans.push({ first: number, last: number })
    else span.last = number
  }
  return spans
}
