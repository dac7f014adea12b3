import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { JSON_DOCUMENT } from './document.ts'

const BLOCK = { path: ['mcpServers'], shape: 'object' } as const
const LIST = { path: ['mcpServers'], shape: 'array' } as const
const OURS = { name: 'hintgate', entry: { url: 'http://x/mcp', headers: { A: 'b' } } }

const { add, remove } = JSON_DOCUMENT
const put = (text: string) => add(text, BLOCK, OURS)

describe('an entry added to a JSON document', () => {
  it('is added at the end, and comments stay in place', () => {
    const before = `{
  // mine
  "mcpServers": {
    // the files
    "files": { "command": "npx" } // only here
  },
  "theme": "dark" /* at night */
}
`
    expect(put(before)).toBe(`{
  // mine
  "mcpServers": {
    // the files
    "files": { "command": "npx" }, // only here
    "hintgate": {
      "url": "http://x/mcp",
      "headers": {
        "A": "b"
      }
    }
  },
  "theme": "dark" /* at night */
}
`)
    expect(remove(put(before), BLOCK, 'hintgate')).toBe(before)
  })

  it.each([
    ['nothing at all', ''],
    ['an empty object', '{}'],
    ['a comment alone', '{ // nothing yet\n}'],
    ['no servers', '{ "theme": "dark" }\n'],
    ['an empty block', '{\n\t"mcpServers": {},\n}\n'],
    ['one line', '{"mcpServers":{"a":{"command":"b"}},"x":1}'],
    ['trailing commas', '{\r\n  "mcpServers": {\r\n    "a": {},\r\n  },\r\n}'],
    ['commas first', '{ "mcpServers": {\n  "a": {}\n  , "b": {}\n} }'],
    ['a comment that ends the line', '{ "mcpServers": { "a": {} // a\n } }'],
  ])('fits into a document with %s', (_, before) => {
    const expected = { ...(parse(before || '{}') as { mcpServers?: object }) }
    expect(parse(put(before))).toEqual({
      ...expected,
      mcpServers: { ...expected.mcpServers, hintgate: OURS.entry },
    })
  })

  it("uses the document's line breaks and indentation", () => {
    expect(put('{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}')).toBe(
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"hintgate": {\r\n\t\t\t"url": "http://x/mcp",\r\n\t\t\t"headers": {\r\n\t\t\t\t"A": "b"\r\n\t\t\t}\r\n\t\t}\r\n\t}\r\n}',
    )
  })

  it('expands an empty block, and stays on one line in a one-line document', () => {
    const short = (text: string) => add(text, BLOCK, { name: 'h', entry: { a: 1 } })
    expect(short('{\n  "x": 1,\n  "mcpServers": {}\n}')).toBe(
      '{\n  "x": 1,\n  "mcpServers": {\n    "h": {\n      "a": 1\n    }\n  }\n}',
    )
    expect(short('{"mcpServers":{"b":{"url":"http://x"}}}')).toBe(
      '{"mcpServers":{"b":{"url":"http://x"}, "h":{"a":1}}}',
    )
    expect(short('{"x":1,"mcpServers":{}}')).toBe('{"x":1,"mcpServers":{"h":{"a":1}}}')
    expect(short('{}')).toBe('{\n  "mcpServers": {\n    "h": {\n      "a": 1\n    }\n  }\n}')
  })

  it('has a name member if the servers are an array', () => {
    const after = add('{"mcpServers": [{"name": "a"}]}', LIST, OURS)
    expect(parse(after)).toEqual({ mcpServers: [{ name: 'a' }, { name: 'hintgate', ...OURS.entry }] })
    expect(remove(after, LIST, 'hintgate')).toBe('{"mcpServers": [{"name": "a"}]}')
    expect(parse(add('{}', LIST, OURS))).toEqual({ mcpServers: [{ name: 'hintgate', ...OURS.entry }] })
  })

  it('creates the path to a nested block', () => {
    const block = { path: ['projects', '/srv', 'mcpServers'], shape: 'object' } as const
    expect(parse(add('{"projects": {"/srv": {"a": 1}}}', block, OURS))).toEqual({
      projects: { '/srv': { a: 1, mcpServers: { hintgate: OURS.entry } } },
    })
    expect(parse(add('{}', block, OURS))).toEqual({
      projects: { '/srv': { mcpServers: { hintgate: OURS.entry } } },
    })
  })

  it.each([
    ['{ "a": 1', 1, 'a } is missing'],
    ['{\n  "a": tru\n}', 2, 'not a JSON value'],
    ['[]', 1, 'the file does not contain an object'],
    ['{\n"mcpServers": {},\n"mcpServers": {}}', 3, 'occurs twice'],
    ['{\n"mcpServers": 3}', 2, '"mcpServers" is not'],
  ])('is refused by %j', (text, line, why) => {
    expect(() => put(text)).toThrow(expect.objectContaining({ line, message: expect.stringContaining(why) }))
  })
})

const blank = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n  ',
  '\r\n\t',
  ' // note\n',
  '/* note */',
  '\n  // "x": {\n  ',
)
const name = fc.constantFrom('a', 'b', 'files', 'über', 'with space', '//', '}', 'x"y', ',')
const value = fc.constantFrom(
  '{}',
  '{"command": "x", "args": ["//", "}"]}',
  '{ /* c */ "url": "http://y" }',
  '{"a":[1,]}',
)

/** Generates objects in any layout, with comments and white space between all parts, and an optional trailing comma. */
const objectText = fc
  .record({
    names: fc.uniqueArray(name, { maxLength: 4 }),
    values: fc.array(value, { minLength: 4, maxLength: 4 }),
    blanks: fc.array(blank, { minLength: 24, maxLength: 24 }),
    isTrailing: fc.boolean(),
  })
  .map(({ names, values, blanks, isTrailing }) => {
    let used = 0
    const gap = () => blanks[used++ % blanks.length] ?? ''
    const members = names.map(
      (key, index) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${values[index]}${gap()}`,
    )
    return `{${members.join(',')}${isTrailing && members.length > 0 ? `,${gap()}` : ''}${gap()}}`
  })

const documentText = fc
  .record({ servers: objectText, before: blank, after: blank, isFirst: fc.boolean() })
  .map(({ servers, before, after, isFirst }) => {
    const block = `"mcpServers":${before}${servers}`
    return isFirst
      ? `{${before}${block}${after},"theme": "dark"${after}}`
      : `{"theme":1,${before}${block}${after}}`
  })

const commentsOf = (text: string): number => text.match(/note|"x": \{|\/\* c \*\//g)?.length ?? 0

describe('any layout', () => {
  it('keeps values and comments when an entry is added and removed', () => {
    fc.assert(
      fc.property(documentText, before => {
        const added = put(before)
        expect(parse(added).mcpServers.hintgate).toEqual(OURS.entry)
        expect(commentsOf(added)).toBe(commentsOf(before))
        const gone = remove(added, BLOCK, 'hintgate')
        expect(parse(gone)).toEqual(parse(before))
        expect(commentsOf(gone)).toBe(commentsOf(before))
      }),
      { numRuns: 2000 },
    )
  })

  it('keeps everything else when an entry is removed', () => {
    fc.assert(
      fc.property(documentText, fc.nat(3), (before, index) => {
        const { mcpServers } = parse(before) as { mcpServers: Record<string, unknown> }
        const [key] = Object.keys(mcpServers).slice(index)
        if (key === undefined) return
        const { [key]: _, ...rest } = mcpServers
        expect(JSON_DOCUMENT.read(remove(before, BLOCK, key)).mcpServers).toEqual(rest)
      }),
      { numRuns: 2000 },
    )
  })
})
