import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

/** Those that do something; the others only hold them together. */
function listCommands(command: Command, path: readonly string[] = []): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands.flatMap(child => listCommands(child, [...path, child.name()]))
}

const COMMANDS = listCommands(createProgram())

describe('the command', () => {
  it('is made of many', () => {
    expect(COMMANDS.map(([name]) => name)).toEqual(
      expect.arrayContaining(['serve', 'explain', 'completion', 'policy check', 'store copy']),
    )
  })

  it.each(COMMANDS)('takes --config and --home behind %s', (_, command) => {
    expect(command.parseOptions(['--config', 'a.json', '--home', 'b']).unknown).toEqual([])
    expect(command.opts()).toMatchObject({ config: 'a.json', home: 'b' })
  })

  it.each(COMMANDS)('takes -c behind %s, and shows both in its help', (_, command) => {
    expect(command.parseOptions(['-c', 'a.json']).unknown).toEqual([])
    const help = command.helpInformation()
    expect(help).toContain(' -c, --config <file> ')
    expect(help).toContain(' --home <folder> ')
  })
})
