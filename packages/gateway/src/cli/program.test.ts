import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

/** Lists the commands that run something, without the parent commands that only group them. */
function listCommands(command: Command, path: readonly string[] = []): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands.flatMap(child => listCommands(child, [...path, child.name()]))
}

const COMMANDS = listCommands(createProgram())

describe('the command', () => {
  it('has every group of commands', () => {
    expect(COMMANDS.map(([name]) => name)).toEqual(
      expect.arrayContaining(['serve', 'explain', 'completion', 'policy check', 'store copy']),
    )
  })

  it.each(COMMANDS)('accepts --config and --home after %s', (_, command) => {
    expect(command.parseOptions(['--config', 'a.json', '--home', 'b']).unknown).toEqual([])
    expect(command.opts()).toMatchObject({ config: 'a.json', home: 'b' })
  })

  it.each(COMMANDS)('accepts -c after %s, and lists both options in its help', (_, command) => {
    expect(command.parseOptions(['-c', 'a.json']).unknown).toEqual([])
    const help = command.helpInformation()
    expect(help).toContain(' -c, --config <file> ')
    expect(help).toContain(' --home <folder> ')
  })
})
