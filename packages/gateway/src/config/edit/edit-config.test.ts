import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, write } from '../test-support/config-folder.ts'
import { editConfig, readConfigFile } from './edit-config.ts'

const file = (): string => join(folder, 'hintgate.json')
const read = (): string => readFileSync(file(), 'utf8')

const COMMENTED = `{
  // where the notes are
  "mcpServers": {
    "notes": { "command": "node" } // mine
  }
}
`

const crm = (value: unknown) => ({ path: ['mcpServers', 'crm'], value })

describe('editConfig()', () => {
  it('changes nothing else', () => {
    write(COMMENTED)
    const { outcome, text, digest } = editConfig(file(), [crm({ url: 'https://crm.example/mcp' })])
    expect(outcome).toBe('written')
    expect(text).toBe(read())
    const added = '    "crm": {\n      "url": "https://crm.example/mcp"\n    }\n'
    expect(text).toBe(COMMENTED.replace(' } // mine\n', ` }, // mine\n${added}`))
    expect(readConfigFile(file()).digest).toBe(digest)
    editConfig(file(), [crm(undefined)])
    expect(read()).toBe(COMMENTED)
    editConfig(file(), [{ path: ['mcpServers', 'notes', 'trust'], value: 'trusted' }])
    editConfig(file(), [{ path: ['mcpServers', 'notes', 'command'], value: 'deno' }])
    expect(read()).toBe(
      COMMENTED.replace('"node"', '"deno","trust":"trusted"').replace(',"trust"', ', "trust"'),
    )
  })

  it('refuses an edit that would not load, with the location', () => {
    write(COMMENTED)
    const { outcome, problems } = editConfig(file(), [crm({ url: 'https://crm.example/mcp', trsut: 'x' })])
    expect(outcome).toBe('refused')
    expect(problems).toMatchObject([{ path: 'mcpServers.crm.trsut' }])
    expect(read()).toBe(COMMENTED)
    expect(readdirSync(folder)).toEqual(['hintgate.json'])
  })

  it('tolerates existing problems, but not invalid syntax', () => {
    write(`{ "mcpServers": { "notes": { "command": "node", "cwd": "\${env:NOBODY_SET_THIS}" } } }`)
    expect(editConfig(file(), [crm({ command: 'node' })]).outcome).toBe('written')
    write('{ "mcpServers": ')
    const broken = editConfig(file(), [crm({ command: 'node' })])
    expect(broken.outcome).toBe('refused')
    expect(broken.problems[0]?.message).toBe('expected a value')
  })

  it('refuses an edit when the file has changed', () => {
    write(COMMENTED)
    const { digest } = readConfigFile(file())
    write('{}')
    expect(editConfig(file(), [crm({ command: 'node' })], { digest }).outcome).toBe('stale')
    expect(read()).toBe('{}')
  })

  it('keeps the mode, symbolic link, indentation and line endings', () => {
    write('\uFEFF{\r\n\t"quarantine": true\r\n}\r\n', 'real.json')
    chmodSync(join(folder, 'real.json'), 0o640)
    symlinkSync('real.json', file())
    expect(editConfig(file(), [{ path: ['profile'], value: 'spec' }]).outcome).toBe('written')
    expect(read()).toBe('\uFEFF{\r\n\t"quarantine": true,\r\n\t"profile": "spec"\r\n}\r\n')
    expect(statSync(join(folder, 'real.json')).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder).toSorted()).toEqual(['hintgate.json', 'real.json'])
  })

  it('creates a missing file that only its owner can read', () => {
    expect(editConfig(file(), [crm({ command: 'node' })]).outcome).toBe('written')
    expect(JSON.parse(read())).toEqual({ mcpServers: { crm: { command: 'node' } } })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })
})
