import fc from 'fast-check'
import type { Json } from '../../protocol/messages.ts'
import { parseJson } from '../../protocol/parse-json.ts'

const unit = fc.constantFrom('a', ' ', '"', '\\', '\n', '\u0001', '🦔', 'é', '\ud83e', '\udd94', '/', '~')
const longText = fc
  .tuple(fc.string({ unit, maxLength: 40 }), fc.nat(40))
  .map(([text, times]) => text.repeat(times))
const anyText = fc.oneof(fc.string({ unit, maxLength: 20 }), longText)
const key = fc.oneof(
  fc.constantFrom('__proto__', 'a/b', '~', '', '0', 'results', 'toString'),
  fc.string({ unit, maxLength: 6 }),
)
/** Marks a string that stands for a number with more digits than a double can hold, until the result is encoded. */
const BIG = 'BIG:'
const big = fc
  .oneof(fc.bigInt({ min: 2n ** 60n, max: 2n ** 200n }), fc.bigInt({ min: 2n ** 60n, max: 2n ** 4000n }))
  .map(number => `${BIG}${number}`)

const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      anyText,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      big,
    ),
    fc.array(tie('json'), { maxLength: 12 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 8 }).map(Object.fromEntries),
  ),
}))

const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record(
    { type: fc.constant('text'), text: anyText, annotations: json, _meta: json },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constantFrom('image', 'audio'), data: longText, mimeType: fc.constant('image/png') }),
  fc.record({ type: fc.constant('resource'), resource: fc.record({ uri: anyText, text: anyText }) }),
  fc.record({ type: fc.constant('resource'), resource: fc.record({ uri: anyText, blob: longText }) }),
  fc.record({ type: fc.constant('text'), text: big }),
  json,
)
const content = fc.oneof(
  { arbitrary: fc.array(block, { maxLength: 6 }), weight: 5 },
  { arbitrary: fc.array(block, { minLength: 20, maxLength: 60 }), weight: 1 },
  { arbitrary: json, weight: 1 },
)

const wanted = fc.record(
  {
    content,
    structuredContent: fc.oneof(
      json,
      fc.record({ rows: fc.array(json, { maxLength: 100 }), total: fc.nat() }),
    ),
    isError: fc.boolean(),
    _meta: fc.oneof(json, fc.dictionary(key, json)),
    other: json,
  },
  { requiredKeys: [] },
)

/** Any result that a server could send, valid or not, in the form in which the gateway parses it. */
export const anyResult: fc.Arbitrary<Json> = fc
  .tuple(wanted, fc.dictionary(key, json, { maxKeys: 2 }))
  .map(parts => {
    const text = JSON.stringify({ ...parts[1], ...parts[0] }).replaceAll(
      new RegExp(`"${BIG}(\\d+)"`, 'g'),
      '$1',
    )
    const parsed = parseJson(text, 100)
    if (!parsed.ok) throw new Error(parsed.reason)
    return parsed.value as Json
  })
