import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { hintgate } from '../support/hintgate.ts'

const folder = mkdtempSync(join(tmpdir(), 'hintgate-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  )
  return path
}

const described = { description: 'Does something.', inputSchema: { type: 'object' } }
const list = { name: 'list_files', ...described, annotations: { readOnlyHint: true } }
const wipe = { name: 'delete_file', ...described }
const liar = { name: 'both', ...described, annotations: { readOnlyHint: true, destructiveHint: true } }

interface JsonTool {
  name: string
  declared: Record<string, unknown>
  inferred: Record<string, { value: unknown; confidence: number; evidence: unknown[] }>
  effective: Record<string, { value: unknown; source: string }>
  variant: string
  riskLevel: number
  findings: { code: string; level: string; path: string; message: string; fix: string }[]
}

async function lintJson(args: readonly string[], stdin?: string) {
  const { code, stdout, stderr } = await hintgate(
    ['lint', '--format', 'json', ...args],
    stdin === undefined ? {} : { stdin },
  )
  const report = JSON.parse(stdout) as {
    tools: JsonTool[]
    coverage: { score: number }
    summary: { tools: number }
  }
  return { code, stderr, ...report, names: report.tools.map(tool => tool.name) }
}

describe('hintgate lint reads', () => {
  it.each([
    ['a tools/list result', 'result.json', { tools: [wipe, list], nextCursor: 'x' }],
    ['an answer of a server', 'answer.json', { jsonrpc: '2.0', id: 1, result: { tools: [wipe, list] } }],
    ['an array', 'array.json', [wipe, list]],
    ['an mcpb manifest', 'manifest.json', { manifest_version: '0.3', name: 'x', tools: [wipe, list] }],
    ['a dxt manifest', 'dxt.json', { dxt_version: '0.1', name: 'x', tools: [wipe, list] }],
    ['JSON Lines', 'tools.jsonl', `${JSON.stringify(wipe)}\n\n${JSON.stringify(list)}\n`],
    ['JSON Lines by another name', 'tools.txt', `${JSON.stringify(wipe)}\r\n${JSON.stringify(list)}`],
    ['compressed JSON Lines', 'tools.jsonl.gz', gzipSync(`${JSON.stringify(wipe)}\n${JSON.stringify(list)}`)],
    ['a file with a byte order mark', 'bom.json', `\uFEFF${JSON.stringify([wipe, list])}`],
  ])('%s, in order', async (_what, name, content) => {
    const { code, names } = await lintJson([file(name, content)])
    expect(names).toEqual(['delete_file', 'list_files'])
    expect(code).toBe(0)
  })

  it('standard input, a single tool and several files', async () => {
    expect((await lintJson(['-'], JSON.stringify([list]))).names).toEqual(['list_files'])
    const [one, two] = [file('one.json', wipe), file('two.json', [list])]
    expect((await lintJson([one, two])).names).toEqual(['delete_file', 'list_files'])
  })
})

describe('hintgate lint judges', () => {
  it('and prints the public JSON shape', async () => {
    const { tools, coverage } = await lintJson([file('shape.json', [wipe, list])])
    const [deleting, listing] = tools
    expect(deleting).toMatchObject({
      name: 'delete_file',
      declared: {},
      variant: 'call_tool_destructive',
      riskLevel: 3,
    })
    for (const hint of ['readOnly', 'destructive', 'idempotent', 'openWorld']) {
      expect(typeof deleting?.inferred[hint]?.value).toBe('boolean')
      expect(deleting?.inferred[hint]?.confidence).toBeLessThanOrEqual(1)
      expect(Object.keys(deleting?.effective[hint] ?? {})).toEqual(['value', 'source'])
    }
    expect(deleting?.inferred.operations).toMatchObject({ value: ['delete'] })
    expect(deleting?.inferred.operations?.evidence.length).toBeGreaterThan(0)
    expect(deleting?.effective.destructive).toEqual({ value: true, source: 'inferred' })
    expect(listing?.declared).toEqual({ readOnly: true })
    expect(listing?.effective.readOnly).toEqual({ value: true, source: 'declared' })
    expect(coverage.score).toBe(13)
    for (const finding of tools.flatMap(tool => tool.findings)) {
      expect(Object.keys(finding)).toEqual(['code', 'level', 'path', 'message', 'fix'])
    }
  })

  it('tools as vouched for, and with --untrusted as unreviewed', async () => {
    const path = file('trust.json', [list])
    expect((await lintJson([path])).tools[0]?.variant).toBe('call_tool_read')
    expect((await lintJson([path, '--untrusted'])).tools[0]).toMatchObject({
      variant: 'call_tool_write',
      declared: { readOnly: true },
      effective: { readOnly: { value: false, source: 'default' } },
    })
  })

  it('undeclared hints by the profile', async () => {
    const path = file('profile.json', [{ name: 'frobnicate', ...described }])
    expect((await lintJson([path])).tools[0]?.variant).toBe('call_tool_write')
    expect((await lintJson([path, '--profile', 'spec'])).tools[0]?.variant).toBe('call_tool_destructive')
  })

  it('duplicate names and missing descriptions', async () => {
    const { code, tools } = await lintJson([file('twice.json', [list, list, { name: 'bare' }])])
    expect(tools.map(tool => tool.findings.map(finding => finding.code))).toEqual([
      ['flags-undeclared'],
      ['flags-undeclared', 'duplicate-name'],
      ['flags-undeclared', 'no-description'],
    ])
    expect(code).toBe(1)
  })

  it('ten thousand tools without losing one', async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) =>
      JSON.stringify({ ...wipe, name: `delete_file_${i}` }),
    )
    const { summary, names } = await lintJson([file('many.jsonl', lines.join('\n'))])
    expect(summary.tools).toBe(10_000)
    expect(names.at(-1)).toBe('delete_file_9999')
  })
})

describe('hintgate lint exits', () => {
  const run = async (...args: string[]) => (await hintgate(['lint', ...args])).code

  it('with 0 without errors, with 1 for errors, and with 1 for warnings under --strict', async () => {
    const good = file('good.json', [wipe])
    expect(await run(good)).toBe(0)
    expect(await run(good, '--strict')).toBe(1)
    expect(await run(file('bad.json', [liar]))).toBe(1)
  })

  it('with 2 on wrong usage, with a hint at --help', async () => {
    for (const args of [[], ['--nonsense', 'x'], ['x', '--format', 'pdf']]) {
      const { code, stderr } = await hintgate(['lint', ...args])
      expect(code).toBe(2)
      expect(stderr).toContain('--help')
    }
    expect((await hintgate(['frobnicate'])).code).toBe(2)
  })

  it.each([
    ['a missing file', () => join(folder, 'missing.json'), 'does not exist'],
    ['a missing .jsonl file', () => join(folder, 'missing.jsonl'), 'does not exist'],
    ['a missing archive', () => join(folder, 'missing.jsonl.gz'), 'does not exist'],
    ['a folder', () => folder, 'folder'],
    ['something else', () => file('else.json', 'hello'), 'not JSON'],
    ['a document without tools', () => file('none.json', { hello: 1 }), 'tools/list result'],
    ['a broken archive', () => file('broken.json.gz', 'hello'), 'broken.json.gz'],
  ])('with 2 on %s, with a reason and a fix', async (_what, path, reason) => {
    const { code, stdout, stderr } = await hintgate(['lint', path()])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(reason)
    expect(stderr).toMatch(/^hintgate lint: .+\n {2}fix: .+\n$/)
  })

  it('with 1 on a line that is not JSON, and lints the others', async () => {
    const { code, tools } = await lintJson([
      file('lines.jsonl', `${JSON.stringify(list)}\n{oops\n${JSON.stringify(wipe)}`),
    ])
    expect(code).toBe(1)
    expect(tools.map(tool => tool.findings[0]?.code)).toEqual([
      'flags-undeclared',
      'unreadable-line',
      'flags-undeclared',
    ])
  })

  it('quietly when the pipe is closed', async () => {
    const many = file('unread.jsonl', Array.from({ length: 5000 }, () => JSON.stringify(wipe)).join('\n'))
    const bin = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
    const child = spawn(process.execPath, [bin, 'lint', many], { stdio: ['ignore', 'pipe', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise(resolve => child.on('close', resolve))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('hintgate lint prints', () => {
  it('text with hints, findings and fixes, without colours in a pipe', async () => {
    const { stdout } = await hintgate(['lint', file('text.json', [liar, wipe])])
    expect(stdout).toMatch(/declared +inferred +effective/)
    expect(stdout).toMatch(/destructive +– +yes \d+ % +yes +inferred/)
    expect(stdout).toContain('✖ readonly-destructive')
    expect(stdout).toContain('fix: ')
    expect(stdout).toMatch(/coverage 25 %/)
    expect(stdout).not.toContain('\u001B')
  })

  it('hidden characters of a hostile tool as escapes', async () => {
    const hostile = { name: 'a\u202Eb\u001B[31m', ...described, annotations: { 'x\u200By': 1 } }
    for (const format of ['text', 'markdown']) {
      const { stdout } = await hintgate(['lint', '--format', format, file('hostile.json', [hostile])])
      expect(stdout).not.toMatch(/[\u202E\u200B\u001B]/)
      expect(stdout).toContain('202e')
    }
  })

  it('Markdown in which a tool cannot break out of its cell', async () => {
    const { stdout } = await hintgate([
      'lint',
      '--format',
      'markdown',
      file('md.json', [{ ...liar, name: 'a|b`<img>' }]),
    ])
    const [head] = stdout.split('\n')
    const row = stdout.split('\n').find(line => line.includes('img'))
    expect(row?.replaceAll(/\\./g, '').split('|')).toHaveLength(head?.split('|').length ?? 0)
    expect(stdout).toContain('`readonly-destructive`')
  })

  it('SARIF with rules, lines and stable fingerprints', async () => {
    const lines = `${JSON.stringify(list)}\n${JSON.stringify(liar)}`
    const { stdout, code } = await hintgate(['lint', '--format', 'sarif', file('s.jsonl', lines)])
    const { version, runs } = JSON.parse(stdout)
    const { results, tool } = runs[0]
    expect(version).toBe('2.1.0')
    const rules = tool.driver.rules.map((rule: { id: string }) => rule.id)
    expect(new Set(rules).size).toBe(rules.length)
    for (const result of results) expect(rules).toContain(result.ruleId)
    const finding = results.find((result: { ruleId: string }) => result.ruleId === 'readonly-destructive')
    expect(finding).toMatchObject({
      level: 'error',
      partialFingerprints: { 'hintgate/v1': expect.any(String) },
    })
    expect(finding.locations[0].physicalLocation.region.startLine).toBe(2)
    expect(code).toBe(1)
  })

  it('help with an example', async () => {
    for (const args of [['--help'], ['lint', '--help']]) {
      const { code, stdout } = await hintgate(args)
      expect(code).toBe(0)
      expect(stdout).toContain('$ hintgate lint')
    }
  })
})
