import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { ClientHome } from '../support/client-home.ts'
import { peerFile } from '../support/peers.ts'
import { address, run, serverFile } from '../support/processes.ts'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))

let home: ClientHome
let url: string

beforeAll(async () => {
  home = new ClientHome()
  home.put('.hintgate/hintgate.json', {
    mcpServers: {
      box: { command: process.execPath, args: [serverFile('stdio.mjs'), '--name', 'box'], trust: 'trusted' },
    },
  })
  url = await address(
    run(process.execPath, [BIN, 'serve', '--listen', '127.0.0.1:0'], { env: home.env, cwd: home.project }),
  )
})
afterAll(cleanUp)

/** Runs a client to its end and returns its output. */
async function ask(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const client = run(command, args, { env: { ...home.env, ...env }, cwd: home.project })
  client.child.stdin?.end()
  await client.exited
  return [...client.stdout.items, ...client.stderr.items].join('\n')
}

const CLAUDE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`
const QUIET = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }

describe('the real Claude Code', () => {
  const claude = (...args: string[]) => ask(peerFile(CLAUDE), ['mcp', ...args], QUIET)

  it.each(['user', 'project', 'local'])('connects with the entry in the %s scope', async scope => {
    await home.json(['connect', 'claude-code', '--scope', scope, '--url', url, '--yes'])
    const list = await claude('list')
    // Claude Code asks for approval of servers from a project's file.
    expect(list).toMatch(scope === 'project' ? /hintgate: .*Pending approval/ : /hintgate: .*✔ Connected/)
    expect(await claude('get', 'hintgate')).toMatch(/Type: http\n\s+URL: http:\/\/127\.0\.0\.1:\d+\/mcp/)
    await home.json(['disconnect', 'claude-code', '--scope', scope, '--yes'])
    expect(await claude('list')).not.toContain('hintgate')
  })

  it('connects over stdio', async () => {
    await home.json(['connect', 'claude-code', '--stdio', '--yes'])
    expect(await claude('list')).toMatch(/hintgate: .*✔ Connected/)
    await home.json(['disconnect', 'claude-code', '--yes'])
  })

  it('is refused after disconnect', async () => {
    await home.json(['connect', 'claude-code', '--url', url, '--yes'])
    const before = home.read('.claude.json')
    await home.json(['disconnect', 'claude-code', '--yes'])
    home.put('.claude.json', before)
    expect(await claude('list')).toMatch(/hintgate: .*(?:✘|Needs authentication|⚠)/)
    home.put('.claude.json', '{}')
  })
})

describe('the real Gemini CLI', () => {
  const gemini = (...args: string[]) =>
    ask(process.execPath, [peerFile('@google/gemini-cli/bundle/gemini.js'), 'mcp', ...args], {
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    })

  it.each(['user', 'project'])('connects with the entry in the %s scope', async scope => {
    const file = scope === 'user' ? '.gemini/settings.json' : 'project/.gemini/settings.json'
    const text = '{\n  // mine\n  "ui": { "theme": "Default" } // dark\n}\n'
    home.put(file, text)
    await home.json(['connect', 'gemini', '--scope', scope, '--url', url, '--yes'])
    expect(await gemini('list')).toMatch(/✓ hintgate: http:\/\/127\.0\.0\.1:\d+\/mcp \(http\) - Connected/)
    await home.json(['disconnect', 'gemini', '--scope', scope, '--yes'])
    expect(home.read(file)).toBe(text)
    expect(await gemini('list')).toContain('No MCP servers configured')
  })

  it('connects over stdio', async () => {
    await home.json(['connect', 'gemini', '--stdio', '--yes'])
    expect(await gemini('list')).toMatch(/✓ hintgate: .*\(stdio\) - Connected/)
    await home.json(['disconnect', 'gemini', '--yes'])
  })
})
