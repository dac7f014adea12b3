import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { hintgate } from '../support/hintgate.ts'
import { address, run, serverFile } from '../support/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'hintgate-lint-live-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterAll(cleanUp)

const NOTES = fileURLToPath(new URL('../../examples/notes-server.mjs', import.meta.url))
const NOTES_COMMAND = `${process.execPath} "${NOTES}"`

interface Report {
  readonly tools: readonly {
    readonly name: string
    readonly findings: readonly { readonly code: string }[]
  }[]
}

async function lint(...args: readonly string[]): Promise<{ code: number | null; report: Report }> {
  const { code, stdout } = await hintgate(['lint', '--json', ...args])
  return { code, report: JSON.parse(stdout) as Report }
}

describe('lint of a live server', () => {
  it('starts a command line, lists its tools and stops it', async () => {
    const { code, report } = await lint(NOTES_COMMAND)
    expect(code).toBe(0)
    expect(report.tools.map(tool => tool.name)).toContain('delete_note')
  })

  it('connects to a URL', async () => {
    const url = await address(run(process.execPath, [serverFile('http.mjs'), '--name', 'h']))
    const { report } = await lint(url)
    expect(report.tools.length).toBeGreaterThan(3)
  })

  it('lints every server of a config', async () => {
    const config = join(folder, 'hintgate.json')
    const server = { command: process.execPath, args: [NOTES] }
    writeFileSync(config, JSON.stringify({ mcpServers: { one: server, two: server } }))
    const { report } = await lint('--config', config)
    expect(report.tools.filter(tool => tool.name === 'delete_note').length).toBe(2)
    expect(report.tools.flatMap(tool => tool.findings).map(finding => finding.code)).not.toContain(
      'duplicate-name',
    )
  })

  it('ignores the servers of a config if a target is named', async () => {
    const config = join(folder, 'not-asked.json')
    writeFileSync(config, JSON.stringify({ mcpServers: { one: { command: 'no-such-program-anywhere' } } }))
    const { code, report } = await lint(NOTES_COMMAND, '--config', config, '--home', folder)
    expect(code).toBe(0)
    expect(report.tools.filter(tool => tool.name === 'delete_note').length).toBe(1)
  })

  it.each([
    ['node does-not-exist.mjs --x', 'exited with code 1'],
    ['no-such-program-anywhere --x', 'command does not exist'],
    ['http://127.0.0.1:1/mcp', 'http://127.0.0.1:1/mcp: the server'],
  ])('reports a reason and a fix if %s fails', async (target, why) => {
    const { code, stderr } = await hintgate(['lint', target])
    expect(code).toBe(2)
    expect(stderr).toContain(why)
    expect(stderr).toMatch(/^hintgate lint: .+\n {2}fix: .+\n$/)
  })

  it('exits with 2 without a target', async () => {
    const { code, stderr } = await hintgate(['lint'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('hintgate lint --help')])
  })
})

describe('a baseline', () => {
  const baseline = join(folder, 'tools.baseline.json')

  it('passes without changes, and fails with one finding for each change', async () => {
    const made = await hintgate(['lint', NOTES_COMMAND, '--write-baseline', baseline])
    expect(made.stderr).toContain('tools to ')
    expect((await lint(NOTES_COMMAND, '--baseline', baseline)).code).toBe(0)

    // As if the server had changed since the baseline was written.
    const [first, ...others] = JSON.parse(readFileSync(baseline, 'utf8')).tools
    const gone = { ...first, definition: { ...first.definition, name: 'once_there' } }
    const changed = others.map((tool: { definition: { name: string } }) =>
      tool.definition.name === 'delete_note'
        ? { ...tool, fingerprint: 'x', definition: { ...tool.definition, description: 'Kept.' } }
        : tool,
    )
    writeFileSync(baseline, JSON.stringify({ version: 1, tools: [gone, ...changed] }))
    const { code, report } = await lint(NOTES_COMMAND, '--baseline', baseline)
    const found = report.tools.flatMap(tool => tool.findings.map(finding => [tool.name, finding.code]))
    expect(code).toBe(1)
    expect(found).toEqual(
      expect.arrayContaining([
        [first.definition.name, 'baseline-added'],
        ['delete_note', 'baseline-changed'],
        ['once_there', 'baseline-removed'],
      ]),
    )
  })

  it('that does not exist is reported with a fix', async () => {
    const { code, stderr } = await hintgate(['lint', NOTES_COMMAND, '--baseline', join(folder, 'none.json')])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--write-baseline')])
  })

  it('is part of a report for GitHub', async () => {
    const { stdout } = await hintgate(['lint', NOTES_COMMAND, '--baseline', baseline, '--format', 'sarif'])
    const { runs } = JSON.parse(stdout)
    expect(runs[0].results.map((result: { ruleId: string }) => result.ruleId)).toContain('baseline-removed')
    expect(runs[0].tool.driver.rules.map((rule: { id: string }) => rule.id)).toContain('baseline-removed')
  })
})
