import { Command } from 'commander'
import type { CopyFlags, MigrateFlags } from './run/run-store.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLES = `
Examples:
  $ hintgate store migrate
  $ hintgate store copy --from sqlite:data/hintgate.db --to postgres://hintgate@db.example/hintgate

Copying takes along tokens, definitions with their reviews, overrides, approvals, sessions and the audit log with its
chains; results that were kept for agents are not copied. Stop the gateway first: what it writes later stays behind.
Tokens and seals also need the secret key in Hintgate's home folder. A password is better off in PGPASSWORD or in
~/.pgpass than in an address, where others may see it.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function storeCommand(): Command {
  const store = new Command('store')
    .description('where everything is kept: SQLite or PostgreSQL')
    .addHelpText('after', EXAMPLES)
  addPlaceOptions(subcommand(store, 'migrate', 'bring the schema of the store up to date')).action(
    async (flags: MigrateFlags) => (await import('./run/run-store.ts')).migrate(flags),
  )
  subcommand(store, 'copy', 'copy everything from SQLite to an empty PostgreSQL database')
    .requiredOption('--from <url>', 'sqlite:PATH')
    .requiredOption('--to <url>', 'postgres://USER@HOST/DATABASE')
    .action(async (flags: CopyFlags) => (await import('./run/run-store.ts')).copy(flags))
  return store
}

function subcommand(parent: Command, name: string, description: string): Command {
  const example = EXAMPLES.split('\n').find(line => line.includes(`store ${name}`))
  return parent
    .command(name)
    .description(description)
    .addHelpText('after', `\nExample:\n${example ?? ''}`)
    .option('--json', 'print JSON')
}
