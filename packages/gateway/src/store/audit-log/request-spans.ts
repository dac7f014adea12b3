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
  const number = dash < 0 ? -1 : readDigits(request, dash + 1)
  return number < 0 ? { series: request, number: 0 } : { series: request.slice(0, dash), number }
}

const MOST_DIGITS = 10

/** The number that is written behind a place in figures and small letters; -1 where something else is. Every row comes by here. */
function readDigits(text: string, from: number): number {
  const length = text.length - from
  if (length === 0 || length > MOST_DIGITS) return -1
  let number = 0
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) number = number * 36 + code - ZERO
    else if (code >= SMALL_A && code <= SMALL_Z) number = number * 36 + code - SMALL_A + 10
    else return -1
  }
  return number
}

const ZERO = 48
const NINE = 57
const SMALL_A = 97
const SMALL_Z = 122

/** Which requests some rows are about, in as few words as do not lead far astray. */
export function spansOf(rows: readonly Pick<AuditRow, 'request'>[]): Span[] {
  const bySeries = new Map<string, number[]>()
  // Mostly all of them are of one series.
  let before = ''
  let alike: number[] | undefined
  for (const { request } of rows) {
    const own = alike !== undefined && request.startsWith(before) ? readDigits(request, before.length) : -1
    if (own >= 0) {
      alike?.push(own)
      continue
    }
    const { series, number } = numberOf(request)
    alike = bySeries.get(series) ?? []
    alike.push(number)
    bySeries.set(series, alike)
    before = `${series}-`
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
