import { Command } from 'commander'
import type { ApprovalFlags, DecideFlags } from './run/run-approvals.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLES = `
Examples:
  $ hintgate approvals list
  $ hintgate approvals show ap_3dk0vt8wyq1m5a
  $ hintgate approvals approve ap_3dk0vt8wyq1m5a
  $ hintgate approvals deny ap_3dk0vt8wyq1m5a --note "not before the backup"
  $ hintgate approvals watch

An approval is good for one call of the same agent with the same arguments, for a short time. A running gateway
notices every decision at once.

Exit codes: 0 done, 1 failed (such as: decided already), 2 wrong usage, 10 not yours to approve.`

export function approvalsCommand(): Command {
  const approvals = new Command('approvals')
    .description('calls that wait for a person to allow them')
    .addHelpText('after', EXAMPLES)
  subcommand(approvals, 'list', 'what waits for an answer').action(async (flags: ApprovalFlags) =>
    (await import('./run/run-approvals.ts')).list(flags),
  )
  subcommand(approvals, 'show <id>', 'one of them, with everything that would be executed').action(
    async (id: string, flags: ApprovalFlags) => (await import('./run/run-approvals.ts')).show(id, flags),
  )
  decision(approvals, 'approve <id>', 'let it happen, once')
    .option('--remember <what>', 'session or arguments: do not ask again for these, where rules allow it')
    .action(async (id: string, flags: DecideFlags) =>
      (await import('./run/run-approvals.ts')).decide(id, 'approved', flags),
    )
  decision(approvals, 'deny <id>', 'refuse it').action(async (id: string, flags: DecideFlags) =>
    (await import('./run/run-approvals.ts')).decide(id, 'denied', flags),
  )
  subcommand(approvals, 'watch', 'show questions as they come, until interrupted').action(
    async (flags: ApprovalFlags) => (await import('./run/run-approvals.ts')).watch(flags),
  )
  return approvals
}

function decision(parent: Command, usage: string, description: string): Command {
  return subcommand(parent, usage, description)
    .option('--by <name>', 'who decides (default: the user of this machine)')
    .option('--note <text>', 'words for the agent and the record')
}

function subcommand(parent: Command, usage: string, description: string): Command {
  const [name = ''] = usage.split(' ')
  const command = parent.command(usage).description(description)
  const example = EXAMPLES.split('\n').find(line => line.includes(`approvals ${name}`))
  command.addHelpText('after', `\nExample:\n${example ?? ''}`)
  return addPlaceOptions(command).option('--json', 'print JSON')
}
