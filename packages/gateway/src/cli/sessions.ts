import { Command } from 'commander'
import type { SessionFlags } from './run/run-sessions.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLES = `
Examples:
  $ hintgate sessions list
  $ hintgate sessions show agent:reporting-bot
  $ hintgate sessions reset agent:reporting-bot

A session keeps which of three things it has touched: private data, untrusted content, a way out. The call that would
bring the third asks a person. Resetting forgets them; a running gateway notices at once.

Exit codes: 0 done, 1 there is no such session, 2 wrong usage.`

export function sessionsCommand(): Command {
  const sessions = new Command('sessions')
    .description('what sessions have touched, and the risk of it')
    .addHelpText('after', EXAMPLES)
  subcommand(sessions, 'list', 'sessions that have touched anything, newest first').action(
    async (flags: SessionFlags) => (await import('./run/run-sessions.ts')).list(flags),
  )
  subcommand(sessions, 'show <id>', 'one session, with the calls that brought each leg').action(
    async (id: string, flags: SessionFlags) => (await import('./run/run-sessions.ts')).show(id, flags),
  )
  subcommand(sessions, 'reset <id>', 'forget what a session has touched').action(
    async (id: string, flags: SessionFlags) => (await import('./run/run-sessions.ts')).reset(id, flags),
  )
  return sessions
}

function subcommand(parent: Command, usage: string, description: string): Command {
  const [name = ''] = usage.split(' ')
  const command = parent.command(usage).description(description)
  const example = EXAMPLES.split('\n').find(line => line.includes(`sessions ${name}`))
  command.addHelpText('after', `\nExample:\n${example ?? ''}`)
  return addPlaceOptions(command).option('--json', 'print JSON')
}
