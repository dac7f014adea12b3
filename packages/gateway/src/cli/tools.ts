import { Command, Option } from 'commander'
import type { ListFlags, SearchFlags } from './calls/run-tools.ts'
import { addClientOptions, type ClientFlags, collect, parseCount } from './client/client-flags.ts'
import { addReviewCommands } from './review/review-commands.ts'

const ABOUT = `
Without --url the servers of the config are started for this command, and stopped again. --as shows what an
agent would see. With --url a running gateway is asked; its token says who is asking.`

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage or config, 10 refused by policy.`

const EXAMPLES = {
  list: 'hintgate tools list --server notes',
  search: 'hintgate tools search delete old notes --exclude-open-world --limit 3',
  show: 'hintgate tools show notes:delete_note',
} as const

export function toolsCommand(): Command {
  const tools = new Command('tools')
    .description('the tools of all servers: what they do, and how we know')
    .addHelpText(
      'after',
      `\nExamples:\n${Object.values(EXAMPLES)
        .map(line => `  $ ${line}\n`)
        .join('')}${ABOUT}\n${EXIT_CODES}`,
    )
  subcommand(tools, 'list', 'every tool that may be used')
    .option('--server <name>', 'only of this server; may be given several times', collect)
    .action(async (flags: ListFlags) => (await import('./calls/run-tools.ts')).list(flags))
  addFilters(subcommand(tools, 'search <query...>', 'find tools by what they do, best first')).action(
    async (words: string[], flags: SearchFlags) =>
      (await import('./calls/run-tools.ts')).search(words, flags),
  )
  subcommand(tools, 'show <server:tool>', 'one tool: its hints, where each comes from, its schema').action(
    async (id: string, flags: ClientFlags) => (await import('./calls/run-tools.ts')).show(id, flags),
  )
  addReviewCommands(tools)
  return tools
}

function subcommand(
  parent: Command,
  usage: 'list' | 'search <query...>' | 'show <server:tool>',
  description: string,
): Command {
  const [name = ''] = usage.split(' ')
  const example = Object.entries(EXAMPLES).find(([key]) => key === name)?.[1]
  const command = parent.command(usage).description(description)
  return addClientOptions(command).addHelpText('after', `\nExample:\n  $ ${example}\n${ABOUT}\n${EXIT_CODES}`)
}

function addFilters(command: Command): Command {
  return command
    .option('--limit <count>', 'how many to show (default: 8)', parseCount)
    .option('--server <name>', 'only of this server; may be given several times', collect)
    .option('--domain <name>', 'prefer this domain; may be given several times', collect)
    .addOption(new Option('--category <category>', 'only of this kind').choices(['read', 'write', 'delete']))
    .option('--read-only', 'only tools that read')
    .option('--exclude-destructive', 'no tools that may destroy')
    .option('--exclude-open-world', 'no tools that reach beyond their server')
    .option('--idempotent', 'only tools that may be repeated')
    .addOption(new Option('--detail <detail>', 'full adds the schema').choices(['compact', 'full']))
}
