import fc from 'fast-check'

/** Keys with a meaning in JavaScript, JSON-RPC, MCP or the gateway. */
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  'name',
  'Name',
  'arguments',
  'method',
  '_meta',
  'id',
  'path',
  'to',
  '0',
  'é',
  'e\u0301',
  'a.b',
  'a/b',
  '~1',
  '\u0000',
]

const key = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...KEYS) }, fc.string({ maxLength: 6 }))

/** Strings that programs often mishandle. Lone surrogates are excluded, because UTF-8 cannot encode them. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map(value => value.toWellFormed()),
  fc.constantFrom(
    '\u0000',
    '\u2028',
    '\ufeff',
    '\u202e',
    '"',
    '\\',
    '\\u0000',
    '</script>',
    `\${env:HOME}`,
    '../../etc/passwd',
    'a@example.com',
    'true',
    'null',
    '1e999',
  ),
)

/** Numbers as text, because those that a double cannot hold must keep their digits. */
const digits = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => JSON.stringify(value)),
  fc.constantFrom(
    '-0',
    '0.1',
    '1e400',
    '-1E-400',
    '9007199254740993',
    '0.1234567890123456789',
    '1.0',
    '1e5',
    '100000000000000000000',
  ),
)

/** JSON as text, so that numbers, key order and duplicate keys are as a sender writes them. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string; list: string; object: string }>(
  tie => ({
    list: fc.array(tie('value'), { maxLength: 4 }).map(items => `[${items.join(',')}]`),
    object: fc
      .array(fc.tuple(key, tie('value')), { maxLength: 5 })
      .map(entries => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text.map(value => JSON.stringify(value)),
      digits,
      fc.constantFrom('true', 'false', 'null'),
      tie('list'),
      tie('object'),
    ),
  }),
).value

export const jsonObjectText: fc.Arbitrary<string> = fc
  .array(fc.tuple(key, jsonText), { maxLength: 6 })
  .map(entries => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`)

/** A text with a few characters changed, removed, duplicated or replaced by special ones. */
export function mutated(source: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    how: fc.constantFrom('drop', 'double', 'swap', 'insert'),
    with: fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '\u0000',
      '\n',
      '#',
      '- ',
      '*',
      '&',
      '!',
      '0',
      'e',
      '\ud800',
    ),
  })
  return fc.tuple(source, fc.array(change, { maxLength: 4 })).map(([value, changes]) =>
    changes.reduce((now, { at, how, with: other }) => {
      const index = Math.floor(at * now.length)
      const [head, tail] = [now.slice(0, index), now.slice(index)]
      if (how === 'drop') return head + tail.slice(1)
      if (how === 'double') return head + tail.slice(0, 8) + tail
      if (how === 'swap') return head + other + tail.slice(1)
      return head + other + tail
    }, value),
  )
}
