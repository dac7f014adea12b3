import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hintgate } from '../support/hintgate.ts'

const SHIPPED = fileURLToPath(new URL('../../packages/gateway/policies/', import.meta.url))
const GOOD = `rules:
  - id: no-deletes
    effect: deny
    variants: destructive
    reason: Nothing is deleted here.
`
const BAD = `rules:
  - id: no-big-mails
    effect: deny
    when: tool.nam == "send" && args.body.matches("(a+)+$")
    reason: r
  - id: no-deletes
    efect: deny
    reason: r
`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-policy-'))
  mkdirSync(join(folder, 'policies'))
  write('policies/good.yaml', GOOD)
  write('bad.yaml', BAD)
  write('hintgate.json', {
    policies: ['policies/*.yaml'],
    policyDefault: 'deny',
    // The command must not need this missing secret.
    mcpServers: { x: { url: 'https://x.example', headers: { Authorization: `$${'{env:NO_SUCH_SECRET}'}` } } },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

const run = (...args: readonly string[]) => hintgate(['policy', ...args], { cwd: folder })

describe('hintgate policy check', () => {
  it('finds no problems in valid rules', async () => {
    expect(await run('check', 'policies/good.yaml')).toEqual({
      code: 0,
      stdout: '1 rule in 1 file, no problems.\n',
      stderr: '',
    })
  })

  it('checks the policies of the config if none are named', async () => {
    expect(await run('check')).toMatchObject({ code: 0, stdout: '1 rule in 1 file, no problems.\n' })
  })

  it('finds the config in the home folder', async () => {
    const elsewhere = { cwd: join(folder, 'policies') }
    expect(await hintgate(['policy', 'check', '--home', folder], elsewhere)).toMatchObject({
      code: 0,
      stdout: '1 rule in 1 file, no problems.\n',
    })
  })

  it('lists every problem with its location and a fix', async () => {
    const { code, stdout, stderr } = await run('check', 'bad.yaml')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`bad.yaml:4:16: when: \`tool\` has no \`nam\`
  fix: did you mean \`name\`?
bad.yaml:4:43: when: matches() can run forever on crafted input
  fix: use re(text, "pattern"), which runs in linear time; the pattern syntax is the same, but look-around and back-references are not supported
bad.yaml:6:5: the rule has no effect
  fix: add \`effect: allow\`, \`effect: confirm\` or \`effect: deny\`
bad.yaml:7:5: unknown key \`efect\` in a rule
  fix: did you mean \`effect\`?
4 problems in 1 file.
`)
  })

  it('lists the problems as JSON', async () => {
    const bad = await run('check', '--json', 'bad.yaml')
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.stdout)).toMatchObject({
      ok: false,
      files: ['bad.yaml'],
      problems: [{ file: 'bad.yaml', line: 4, column: 16 }, { column: 43 }, { line: 6 }, { line: 7 }],
    })
    const good = await run('check', '--json', 'policies/*.yaml')
    expect(good.code).toBe(0)
    expect(JSON.parse(good.stdout)).toEqual({
      ok: true,
      files: ['policies/good.yaml'],
      rules: 1,
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
      problems: [],
    })
  })

  it('exits with 2 if there is nothing to check', async () => {
    expect(await run('check', 'nowhere/*.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere/*.yaml:1:1: no file matches this pattern'),
    })
    write('empty.json', {})
    expect(await run('check', '--config', 'empty.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('list them under "policies"'),
    })
    expect(await run('check', '--nonsense')).toMatchObject({ code: 2 })
  })

  it('shows an example in --help', async () => {
    for (const args of [['--help'], ['check', '--help'], ['test', '--help']]) {
      const { code, stdout } = await run(...args)
      expect(code).toBe(0)
      expect(stdout).toMatch(/\$ hintgate policy (check|test)/)
      expect(stdout).toContain('Exit codes: 0')
    }
  })
})

describe('hintgate policy test', () => {
  it('passes the cases of the shipped rules', async () => {
    const { code, stdout } = await hintgate(['policy', 'test', join(SHIPPED, 'cases/default.yaml')])
    expect(stdout).toMatch(/\d+ cases, all passed\n$/)
    expect(code).toBe(0)
  })

  it('uses the rules and the default of the config, and shows failed cases', async () => {
    write(
      'cases.yaml',
      `cases:
  - { name: a delete, tool: 'crm:delete_contact', hints: { destructive: true }, expect: deny, rule: no-deletes }
  - { name: a read, tool: 'crm:get_contact', hints: { readOnly: true }, expect: allow }
  - { name: another delete, tool: 'crm:delete_deal', hints: { destructive: true }, expect: confirm, rule: ask }
`,
    )
    expect(await run('test', 'cases.yaml')).toEqual({
      code: 1,
      stderr: '',
      stdout: `ok      a delete
FAILED  a read (cases.yaml:3)
  expected allow, got deny
FAILED  another delete (cases.yaml:4)
  expected confirm by ask, got deny by no-deletes
  policy.no-deletes (policies/good.yaml:2): Nothing is deleted here.
3 cases, 2 failed
`,
    })
  })

  it('uses the rules of --policy, and prints JSON', async () => {
    write('other.yaml', GOOD.replace('deny', 'confirm'))
    const { code, stdout } = await run('test', 'cases.yaml', '--policy', 'other.yaml', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      results: [
        { name: 'a delete', passed: false, verdict: 'confirm', rules: ['no-deletes'] },
        { name: 'a read', passed: true, verdict: 'allow', rules: [] },
        { name: 'another delete', passed: false, expectedRules: ['ask'] },
      ],
      problems: [],
    })
  })

  it('exits with 1 if the rules are invalid, and with 2 if the cases are', async () => {
    expect(await run('test', 'cases.yaml', '--policy', 'bad.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bad.yaml:4:16'),
    })
    write('odd.yaml', 'cases: [{ name: x, tool: a, expect: denie }]')
    expect(await run('test', 'odd.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('odd.yaml:1:26: the tool name is incomplete'),
    })
    expect(await run('test', 'none.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.yaml cannot be read (ENOENT)'),
    })
    expect(await run('test')).toMatchObject({ code: 2 })
  })
})
