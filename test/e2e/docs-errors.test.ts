import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { PROBLEM_KINDS } from '../../packages/gateway/src/admin/http/problem.ts'
import { ERRORS } from '../../packages/gateway/src/base/errors.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readPage } from '../support/doc-blocks.ts'
import { Site, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { ModernClient } from '../support/raw-mcp.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CODES = [...new Set([...Object.keys(ERRORS), ...Object.keys(PROBLEM_KINDS)])]

interface Described {
  readonly documents: Readonly<Record<string, string>>
  readonly faults: readonly string[]
}

/** The generator is untyped, because it runs before anything is installed. */
const { describeErrors } = (await import(pathToFileURL(join(ROOT, 'scripts/docs/errors.mjs')).href)) as {
  describeErrors(input: { errors: object; problemKinds: object; read(path: string): string }): Described
}

const describeWith = (read: (path: string) => string): Described =>
  describeErrors({ errors: ERRORS, problemKinds: PROBLEM_KINDS, read })

afterAll(cleanUp)

describe('the pages of error codes', () => {
  it('exist for every code and for nothing else', () => {
    const pages = readdirSync(join(ROOT, 'docs/errors')).filter(name => name !== 'README.md')
    expect(pages.toSorted()).toEqual(CODES.map(code => `${code}.md`).toSorted())
  })

  it('have a table generated from the code, and at least two hand-written sentences', () => {
    const { documents, faults } = describeWith(readPage)
    expect(faults).toEqual([])
    for (const [path, text] of Object.entries(documents)) expect(readPage(path), path).toBe(text)
  })

  it('keep the hand-written text when a stale table is regenerated', () => {
    const path = 'docs/errors/quarantined.md'
    const stale = readPage(path).replace('| 403 |', '| 418 |')
    const { documents } = describeWith(other => (other === path ? stale : readPage(other)))
    expect(stale).not.toBe(readPage(path))
    expect(documents[path]).toBe(readPage(path))
  })

  it.each([
    ['is missing', () => ''],
    [
      'has too little text',
      (page: string) => `${page.split('keeps it. -->')[0]}keeps it. -->\n\nToo short.\n`,
    ],
  ])('are reported as a fault if one %s', (_what, spoil) => {
    const path = 'docs/errors/trifecta.md'
    const { faults } = describeWith(other => (other === path ? spoil(readPage(path)) : readPage(other)))
    expect(faults).toEqual([expect.stringContaining(path)])
  })
})

describe('hintgate explain', () => {
  it('prints the page of a code', async () => {
    const { code, stdout, stderr } = await hintgate(['explain', 'quarantined'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('# quarantined\n')
    expect(stdout).toContain('exit code: 10')
    expect(stdout).toContain('**What happened.** The tool exists')
    expect(stdout).toContain('Trust (docs/trust.md) has the rules')
  })

  it('lists all codes, as text and as JSON', async () => {
    const { stdout } = await hintgate(['explain'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(CODES.length)
    const listed = JSON.parse((await hintgate(['explain', '--json'])).stdout) as { code: string }[]
    expect(listed.map(({ code }) => code)).toEqual(CODES)
  })

  it('suggests a code for an unknown one', async () => {
    const { code, stderr } = await hintgate(['explain', 'quarantine'])
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean quarantined?')
    expect(stderr).toMatch(/ {2}more: hintgate explain flag_invalid\n$/)
  })
})

describe('errors', () => {
  it('name their page, in refusals, in batches and in the admin API', async () => {
    const gateway = await startReadyGateway({
      mcpServers: { notes: { command: process.execPath, args: [join(ROOT, 'examples/notes-server.mjs')] } },
    })
    const token = await gateway.site.token({ permissions: 'retrieve_tools,read' })
    const client = new ModernClient(`${gateway.url}/mcp`, token)
    const refused = await client.call('call_tool_read', { name: 'notes:nothing', args: {} })
    expect(refused.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'unknown_tool', docs: 'docs/errors/unknown_tool.md' } },
    })
    const batch = await client.call('call_tools_read', { calls: [{ name: 'notes:nothing', args: {} }] })
    expect(batch.result).toMatchObject({
      structuredContent: { results: [{ error: { docs: 'docs/errors/unknown_tool.md' } }] },
    })
    const headers = { Authorization: `Bearer ${token}` }
    const problem: unknown = await (await fetch(`${gateway.url}/api/v1/me`, { headers })).json()
    expect(problem).toMatchObject({ code: 'not_for_agents', docs: 'docs/errors/not_for_agents.md' })
  })

  it('of the command end with the command that explains them', async () => {
    const { stderr } = await hintgate(['tokens', 'show', 'nobody', ...new Site({}).flags])
    expect(stderr).toMatch(/\n {2}fix: .*\n {2}more: hintgate explain token_unknown\n$/)
  })
})
