import { Command, Option } from 'commander'
import { AUDIT_VERDICTS } from '../audit/entry.ts'
import type { ExportFlags, QueryFlags, TailFlags } from './audit/audit-flags.ts'
import type { PruneFlags, VerifyFlags } from './audit/audit-keep.ts'
import { parseCount } from './client/client-flags.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLES = `
Examples:
  $ hintgate audit tail -f
  $ hintgate audit query --agent reporting-bot --since 24h --verdict deny
  $ hintgate audit export --since 2026-11-01 --format ocsf > calls.jsonl
  $ hintgate audit verify
  $ hintgate audit prune --before 90d

Every call is in the log, with who made it, what for, the verdict and its reasons, and how it ended. Secrets in arguments
are masked before they are stored. No gateway needs to be running.

Exit codes: 0 done, 1 failed (verify: something is wrong with the log), 2 wrong usage or config.`

export function auditCommand(): Command {
  const audit = new Command('audit')
    .description('what was called, by whom, and what came of it')
    .addHelpText('after', EXAMPLES)
  addFilters(subcommand(audit, 'tail', 'the last calls, oldest first'))
    .option('-n, --limit <count>', 'how many (default: 20)', parseCount)
    .option('-f, --follow', 'go on with what comes, until interrupted')
    .action(async (flags: TailFlags) => (await import('./audit/audit-read.ts')).tail(flags))
  addFilters(subcommand(audit, 'query', 'find calls, newest first'))
    .option('--until <when>', 'only calls before: 2h (ago), a date or a moment')
    .option('--request <id>', 'one call, with everything that is known of it')
    .option('-n, --limit <count>', 'how many (default: 50)', parseCount)
    .option('--cursor <cursor>', 'go on where the page before ended')
    .action(async (flags: QueryFlags) => (await import('./audit/audit-read.ts')).query(flags))
  addFilters(
    subcommand(audit, 'export', 'all calls, newest first, one JSON object on each line', 'no --json'),
  )
    .option('--until <when>', 'only calls before: 2h (ago), a date or a moment')
    .addOption(
      new Option('--format <format>', 'ocsf: events of class 6003, API Activity')
        .choices(['jsonl', 'ocsf'])
        .default('jsonl'),
    )
    .action(async (flags: ExportFlags) => (await import('./audit/audit-read.ts')).exportCalls(flags))
  subcommand(audit, 'verify', 'prove that no row was edited, removed or moved')
    .option(
      '--heads <file>',
      'also prove that the ends which an earlier `verify --json` printed are still there',
    )
    .option('--other-keys', 'chains that were sealed with another key are no problem')
    .action(async (flags: VerifyFlags) => (await import('./audit/audit-keep.ts')).verify(flags))
  subcommand(audit, 'prune', 'forget old calls; the rest can still be verified')
    .requiredOption('--before <when>', 'calls before: 90d (ago), a date or a moment')
    .action(async (flags: PruneFlags) => (await import('./audit/audit-keep.ts')).prune(flags))
  return audit
}

function subcommand(parent: Command, name: string, description: string, json?: 'no --json'): Command {
  const command = parent.command(name).description(description)
  const example = EXAMPLES.split('\n').find(line => line.includes(`audit ${name}`))
  command.addHelpText('after', `\nExample:\n${example ?? ''}`)
  addPlaceOptions(command)
  return json === undefined ? command.option('--json', 'print JSON') : command
}

function addFilters(command: Command): Command {
  return command
    .option('--agent <name>', 'only calls of this agent, or person:NAME')
    .option('--server <name>', 'only calls of this server')
    .option('--tool <name>', 'only calls of this tool: tool, or server:tool')
    .addOption(
      new Option('--variant <variant>', 'only calls of this kind').choices(['read', 'write', 'destructive']),
    )
    .addOption(new Option('--verdict <verdict>', 'only calls with this verdict').choices(AUDIT_VERDICTS))
    .option(
      '--outcome <outcome>',
      'only calls that ended so: answered, failed, unknown, …, or a code such as policy_denied',
    )
    .option('--since <when>', 'only calls since: 2h (ago), a date or a moment')
}
