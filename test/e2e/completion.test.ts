// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a script for bash
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { ClientHome } from '../support/client-home.ts'

afterAll(cleanUp)

let home: ClientHome

beforeAll(async () => {
  home = new ClientHome()
  home.put('hintgate.bash', (await home.hintgate(['completion', 'bash'])).stdout)
})

/** The completions of a real bash after these words. */
function complete(...words: string[]): string[] {
  const script =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _hintgate; printf "%s\\n" "${COMPREPLY[@]}"'
  const args = ['-c', script, 'bash', home.path('hintgate.bash'), 'hintgate', ...words]
  return execFileSync('bash', args, { encoding: 'utf8' })
    .split('\n')
    .filter(line => line !== '')
}

describe('completion', () => {
  it.runIf(process.platform !== 'win32')('works in a real bash', () => {
    expect(complete('to')).toEqual(['tools', 'tokens'])
    expect(complete('servers', 'te')).toEqual(['test'])
    expect(complete('connect', 'c')).toEqual(['claude-code', 'claude-desktop', 'codex', 'cursor'])
    expect(complete('connect', '--yes', 'gem')).toEqual(['gemini'])
    expect(complete('tokens', 'create', '--perm')).toEqual(['--permissions'])
    expect(complete('explain', '--')).toEqual(expect.arrayContaining(['--config', '--home']))
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
    expect(complete('no-such-command', 'x')).toEqual([])
  })

  it('covers every command in --help', async () => {
    const { stdout } = await home.hintgate(['--help'])
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?: |\n)/gm)]
      .map(match => match[1])
      .filter(name => name !== 'help')
    expect(commands.length).toBeGreaterThan(15)
    expect(complete('')).toEqual(expect.arrayContaining(commands))
  })

  it.each(['zsh', 'fish'])('has a script for %s with commands and descriptions', async shell => {
    const { code, stdout } = await home.hintgate(['completion', shell])
    expect(code).toBe(0)
    for (const word of ['connect', 'servers add', 'import the servers of your MCP clients', '--permissions'])
      expect(stdout).toContain(word)
    // A quote in a description would end the quoting of the script.
    expect(stdout.split("'").length % 2).toBe(1)
  })

  it('works with the global flags of a shell alias', async () => {
    const { code, stdout } = await home.hintgate(['completion', 'bash', '--config', 'a.json', '--home', 'b'])
    expect([code, stdout]).toEqual([0, home.read('hintgate.bash')])
  })

  it('names the shells on wrong usage', async () => {
    const { code, stderr } = await home.hintgate(['completion', 'tcsh'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
  })
})
