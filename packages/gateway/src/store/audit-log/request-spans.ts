import type { AuditRow } from '../audit-store.ts'

/** Requests of one series with numbers from `first` to `last`; not all of them need be there. */
export interface Span {
  readonly series: string
  readonly first: number
  readonly last: number
}

/** Within a span no more than this is missing between two numbers, so that none is longer than `LONGEST`. */
const GAP = 16
/** Chunks have no more rows than this. */
export const MOST_ROWS = 512
export const LONGEST = GAP * MOST_ROWS

/** Ids of requests are the name of a process and a number that grows; any other id is a series of its own. */
export function numberOf(request: string): { readonly series: string; readonly number: number } {
  const dash = request.lastIndexOf('-')
  const digits = dash < 0 ? '' : request.slice(dash + 1)
  return DIGITS.test(digits)
    ? { series: request.slice(0, dash), number: Number.parseInt(digits, 36) }
    : { series: request, number: 0 }
}

/** In figures and small letters. */
const DIGITS = /^[\da-z]{1,10}$/

/** Which requests some rows are about, in as few words as do not lead far astray. */
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
