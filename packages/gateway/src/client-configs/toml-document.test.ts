import { parse } from '@decimalturn/toml-patch'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOML_DOCUMENT } from './document.ts'

const BLOCK = { path: ['mcp_servers'], shape: 'object' } as const
const OURS = { name: 'hintgate', entry: { url: 'http://x/mcp', http_headers: { Authorization: 'Bearer y' } } }

const { add, remove } = TOML_DOCUMENT
const put = (text: string) => add(text, BLOCK, OURS)

const BEFORE = `# mine
model   =   "o3"   # trailing
note = """
[mcp_servers.hintgate]
"""

[mcp_servers.files]   # the files
command = 'npx'
args = [ "-y",  # yes
  "x", ]
# still the files

[mcp_servers.files.env]
A = "1"

# what was said
[history]
persistence = "none"
`

describe('a section added to a TOML document', () => {
  it('comes last, in TOML 1.0, and leaves the rest unchanged', () => {
    expect(put(BEFORE)).toBe(`${BEFORE}
[mcp_servers.hintgate]
url = "http://x/mcp"
http_headers = { Authorization = "Bearer y" }
`)
    expect(remove(put(BEFORE), BLOCK, 'hintgate')).toBe(BEFORE)
  })

  it('is removed with its subsections, and other comments stay', () => {
    expect(remove(BEFORE, BLOCK, 'files')).toBe(`# mine
model   =   "o3"   # trailing
note = """
[mcp_servers.hintgate]
"""
# still the files

# what was said
[history]
persistence = "none"
`)
  })

  it('is removed in any notation', () => {
    for (const before of [
      'mcp_servers.a.command = "x"\nb = 1\n',
      '[mcp_servers]\na = { command = "x" }\n[other]\nb = 1\n',
      '[mcp_servers."a"]\ncommand = "x"\n[mcp_servers.a.env]\nK = "v"\n',
    ])
      expect((parse(remove(before, BLOCK, 'a')) as { mcp_servers?: { a?: object } }).mcp_servers?.a).toBe(
        undefined,
      )
  })

  it('is refused in an inline table or an invalid document', () => {
    expect(() => put('x = 1\nmcp_servers = { a = { command = "b" } }\n')).toThrow(
      expect.objectContaining({ line: 2 }),
    )
    expect(() => put('x = 1\ny =\n')).toThrow(expect.objectContaining({ line: expect.any(Number) }))
  })
})

const part = fc.constantFrom(
  '# note\n',
  '\n',
  '\r\n',
  '[a]\nx = 1 # note\n',
  '[mcp_servers.b]\ncommand = "b" # note\n',
  '[mcp_servers."c d"]\r\nargs = [\r\n "[mcp_servers.e]", # note\r\n]\r\n',
  '[[list]]\nz = 2\n',
  "[f]\ns = '''\n[mcp_servers.g]\n'''\n",
)
const text = fc
  .uniqueArray(part, { maxLength: 8, comparator: (a, b) => a === b && a.includes('[') })
  .map(parts => parts.join(''))
const notes = (document: string): number => document.split('# note').length

describe('any layout', () => {
  it('is unchanged byte for byte after a section is added and removed', () => {
    fc.assert(
      fc.property(text, before => {
        const added = put(before)
        expect(parse(added).mcp_servers.hintgate).toEqual(OURS.entry)
        expect(remove(added, BLOCK, 'hintgate')).toBe(before)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps everything else when a section is removed', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('b', 'c d'), (before, name) => {
        const after = remove(before, BLOCK, name)
        const { mcp_servers = {}, ...rest } = parse(before) as { mcp_servers?: Record<string, unknown> }
        const { [name]: gone, ...others } = mcp_servers
        expect(parse(after)).toEqual(Object.keys(others).length > 0 ? { ...rest, mcp_servers: others } : rest)
        expect(notes(before) - notes(after)).toBe(gone === undefined ? 0 : 1)
      }),
      { numRuns: 500 },
    )
  })
})
