import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { asObject, follow } from './follow.ts'
import { loadDocument } from './load-document.ts'

const root = mkdtempSync(join(tmpdir(), 'hintgate-openapi-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let counter = 0
/** Writes files into a new folder and returns the path of the first. */
function write(files: Readonly<Record<string, string>>): string {
  const folder = join(root, `d${counter++}`)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return join(folder, Object.keys(files)[0] ?? '')
}

const HEAD = 'openapi: 3.1.0\ninfo: { title: t, version: "1" }\n'
const problemOf = (file: string) =>
  loadDocument(file).then(
    () => 'none',
    (error: Error) => error.message,
  )

describe('a document', () => {
  it.each([
    ['yaml', `${HEAD}paths: {}\n`],
    ['json', '\uFEFF{"openapi":"3.0.3","paths":{}}'],
  ])('is read as %s', async (ending, text) => {
    const file = write({ [`a.${ending}`]: text })
    const read = await loadDocument(file)
    expect(read.root.paths).toEqual({})
    expect([...read.files.keys()]).toEqual([expect.stringMatching(new RegExp(`a\\.${ending}$`))])
  })

  it('can refer to files in its folder, and to itself in circles', async () => {
    const file = write({
      'api.yaml': `${HEAD}paths:\n  /a: { $ref: 'paths/a.yaml' }\ncomponents:\n  schemas:\n    Node: { $ref: 'schemas.yaml#/Node' }\n`,
      'paths/a.yaml':
        "get:\n  parameters: [{ name: n, in: query, schema: { $ref: '../schemas.yaml#/Node' } }]\n",
      'schemas.yaml': "Node:\n  type: object\n  properties:\n    next: { $ref: '#/Node' }\n",
    })
    const { root: document, files } = await loadDocument(file)
    expect(files.size).toBe(3)
    const { parameters } = asObject(follow(document, asObject(document.paths)['/a']).get)
    const [parameter] = parameters as readonly object[]
    const node = follow(document, asObject(parameter).schema)
    expect(node.type).toBe('object')
    expect(follow(document, asObject(node.properties).next)).toBe(node)
  })
})

describe('a document that cannot be used', () => {
  it.each([
    ['a.json', '{\n  "openapi": "3.1.0",\n  oops\n}', /^a\.json:3:3: this is not valid JSON/],
    ['a.yaml', `${HEAD}paths:\n  - [\n`, /^a\.yaml: line \d+, column \d+: /],
    ['a.yaml', 'info: {}\nswagger: "2.0"\n', /^a\.yaml:2: this is Swagger 2\.0; convert it/],
    ['a.yaml', 'info: {}\n\nopenapi: 4.0.0\n', /^a\.yaml:3: "openapi" must be a version from 3\.0 to 3\.1/],
    ['a.yaml', HEAD, /^a\.yaml:1: the document has no "paths"/],
    ['a.yaml', 'just a text', /^a\.yaml:1: this is not an OpenAPI document/],
  ])('says where and why: %s %j', async (name, text, said) => {
    expect(await problemOf(write({ [name]: text }))).toMatch(said)
  })

  it('says that the file does not exist, without its folder', async () => {
    expect(await problemOf(join(root, 'missing.yaml'))).toBe('missing.yaml does not exist; correct the path')
  })

  it.each([
    ['../../secret.yaml#/x', /outside the document's folder/],
    ['/etc/hosts', /outside the document's folder/],
    ['link.yaml', /outside the document's folder/],
    ['%2e%2e/%2e%2e/secret.yaml', /outside the document's folder/],
    ['http://127.0.0.1:1/x.yaml', /nothing is fetched/],
    ['https://specs.example/x.yaml', /nothing is fetched/],
    ['file:///etc/hosts', /outside the document's folder/],
  ])('reads nothing elsewhere: %s', async (reference, said) => {
    writeFileSync(join(root, 'secret.yaml'), 'x: { type: string }\n')
    const file = write({ 'in/api.yaml': `${HEAD}paths: { /a: { $ref: '${reference}' } }\n` })
    symlinkSync(join(root, 'secret.yaml'), join(dirname(file), 'link.yaml'))
    expect(await problemOf(file)).toMatch(said)
  })

  it.each([
    [
      '.hidden.json',
      '{"k":{"a":"sk-1"}}',
      '{ schema: { $ref: ".hidden.json#/k" } }',
      /can contain credentials/,
    ],
    [
      '.hintgate/x.json',
      '{"k":{"a":"sk-1"}}',
      '{ schema: { $ref: ".hintgate/x.json#/k" } }',
      /can contain credentials/,
    ],
    [
      'credentials.json',
      '{"k":{"a":"sk-1"}}',
      '{ schema: { $ref: "credentials.json#/k" } }',
      /can contain credentials/,
    ],
    [
      'own.json',
      '{"mcpServers":{"crm":{"url":"x"}}}',
      '{ schema: { $ref: "own.json#/mcpServers/crm" } }',
      /can contain credentials/,
    ],
    ['part.json', '{"k":"sk-1"}', '{ description: { $ref: "part.json#/k" } }', /not an object/],
    [
      'part.json',
      '{"a":{"k":"sk-1"},"b":{"$ref":"#/a/k"}}',
      '{ description: { $ref: "part.json#/b" } }',
      /not an object/,
    ],
    ['part.json', '{"k":{"a":"sk-1"}}', '{ schema: { default: { $ref: "part.json#/k" } } }', /in data/],
  ])('shows nothing of %s: %s as %s', async (name, text, parameter, said) => {
    const file = write({
      'api.yaml': `${HEAD}paths: { /a: { get: { parameters: [${parameter}] } } }\n`,
      [name]: text,
    })
    expect(await problemOf(file)).toMatch(said)
  })

  it('shows nothing of a home folder', async () => {
    const files = { 'home/secret.key': 'x', 'home/data/x.json': '{"k":{"a":"sk-1"}}' }
    const file = write({ 'api.yaml': `${HEAD}paths: { /a: { $ref: home/data/x.json#/k } }\n`, ...files })
    expect(await problemOf(file)).toMatch(/can contain credentials/)
  })

  it('takes its address and its title only from its own file', async () => {
    const file = write({
      'api.yaml': `openapi: 3.1.0\ninfo: { $ref: 'part.yaml#/info' }\nservers: [{ $ref: 'part.yaml#/server' }]\npaths: {}\n`,
      'part.yaml': 'info: { title: other }\nserver: { url: https://other.example }\n',
    })
    expect(JSON.stringify((await loadDocument(file)).root)).not.toContain('other')
  })

  it('is refused at once if aliases multiply it', async () => {
    const levels = Array.from({ length: 30 }, (_, at) => {
      const before = `*a${at - 1}`
      return `  l${at}: &a${at} [${at === 0 ? 'x, x' : `${before}, ${before}`}]`
    })
    const file = write({ 'a.yaml': `${HEAD}paths: {}\nx-bomb:\n${levels.join('\n')}\n` })
    const since = performance.now()
    expect(await problemOf(file)).toMatch(/more than 4000000 values/)
    expect(performance.now() - since).toBeLessThan(5000)
  })

  it('is refused if it contains itself or is nested very deeply', async () => {
    expect(await problemOf(write({ 'a.yaml': `${HEAD}paths: {}\nx-loop: &a [*a]\n` }))).toMatch(/levels deep/)
    const deep = `{"openapi":"3.1.0","paths":{},"x":${'['.repeat(500)}${']'.repeat(500)}}`
    expect(await problemOf(write({ 'a.json': deep }))).toMatch(/levels deep/)
  })
})
