import fc from 'fast-check'
import { expect, it } from 'vitest'
import { numberOf, spansOf } from './request-spans.ts'

const name = fc.string({
  unit: fc.constantFrom('a', 'z', 'A', '0', '9', '-', '{', '/', ':', '`'),
  maxLength: 14,
})

it('splits an id into a name and a number only if it has that form', () => {
  fc.assert(
    fc.property(name, request => {
      const [, series, digits] = /^(.*)-([0-9a-z]{1,10})$/.exec(request) ?? []
      const expected =
        series === undefined || digits === undefined
          ? { series: request, number: 0 }
          : { series, number: Number.parseInt(digits, 36) }
      expect(numberOf(request)).toEqual(expected)
    }),
  )
})

it('finds every request in a span of its series', () => {
  const near = fc
    .tuple(fc.constantFrom('p', 'p-q', 'p-Q'), fc.nat(100))
    .map(([of, at]) => `${of}-${at.toString(36)}`)
  fc.assert(
    fc.property(fc.array(fc.oneof(name, near), { maxLength: 30 }), requests => {
      const spans = spansOf(requests.map(request => ({ request })))
      for (const request of requests) {
        const { series, number } = numberOf(request)
        const found = spans.filter(
          span => span.series === series && span.first <= number && number <= span.last,
        )
        expect(found).toHaveLength(1)
      }
      const inAll = new Set(requests.map(request => numberOf(request).series))
      expect(new Set(spans.map(({ series }) => series))).toEqual(inAll)
    }),
  )
})
