import { Command } from 'commander'
import { collect, parseCount } from './client/client-flags.ts'
import type { CheckFlags } from './policy/policy-check.ts'
import type { ExplainFlags } from './policy/policy-explain.ts'
import type { ReplayFlags } from './policy/policy-replay.ts'
import type { TestFlags } from './policy/policy-test.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLES = `
Examples:
  $ hintgate policy check policies/*.yaml
  $ hintgate policy test policies/cases/default.yaml
  $ hintgate policy explain crm:delete_contact '{"id": 7}' --as reporting-bot
  $ hintgate policy replay new/*.yaml --last 5000

Exit codes: 0 all is well, 1 a policy is wrong or a case failed, 2 wrong usage, config or unreadable file.`

/** The rules that allow, ask and deny. One file per command, loaded when it is run. */
export function policyCommand(): Command {
  const policy = new Command('policy')
    .description('the rules that allow, ask and deny: check them, test them, see what they do')
    .addHelpText('after', EXAMPLES)
  add(policy, 'check [files...]', 'read policy files and list everything that is wrong with them').action(
    async (files: string[], flags: CheckFlags) =>
      (await import('./policy/policy-check.ts')).check(files, flags),
  )
  add(policy, 'test <cases...>', 'hold the rules against cases: this call, that verdict')
    .option('--policy <file>', 'policies to test instead of those that the cases name', collect)
    .action(async (files: string[], flags: TestFlags) =>
      (await import('./policy/policy-test.ts')).test(files, flags),
    )
  addExplain(policy)
  addPlaceOptions(
    policy
      .command('replay <files...>')
      .description('what these policies would have done to recorded calls, beside those of the config')
      .option('--last <calls>', 'how many calls, newest first (default: 1000)', parseCount)
      .option('--json', 'print JSON')
      .addHelpText('after', exampleOf('replay')),
  ).action(async (files: string[], flags: ReplayFlags) =>
    (await import('./policy/policy-replay.ts')).replay(files, flags),
  )
  return policy
}

function addExplain(policy: Command): void {
  addPlaceOptions(
    policy
      .command('explain <server:tool> [args]')
      .description('what would become of a call, step by step; nothing is called')
      .option('--arg <key=value>', 'one argument; may be given several times', collect)
      .option('--as <agent>', 'who calls (default: you, with every permission)')
      .option('--variant <variant>', 'how it is called: read, write or destructive (default: as it needs)')
      .option('--session <id>', 'in which session (default: that of the caller)')
      .option('--json', 'print JSON')
      .addHelpText('after', exampleOf('explain')),
  ).action(async (id: string, args: string | undefined, flags: ExplainFlags) =>
    (await import('./policy/policy-explain.ts')).explain(id, args, flags),
  )
}

function exampleOf(name: string): string {
  return `\nExample:\n${EXAMPLES.split('\n').find(line => line.includes(`policy ${name}`))}`
}

function add(parent: Command, usage: string, description: string): Command {
  const [name = ''] = usage.split(' ')
  const example = EXAMPLES.split('\n').find(line => line.includes(`policy ${name}`))
  return parent
    .command(usage)
    .description(description)
    .option('-c, --config <file>', 'whose policies to use if no files are named (default: the usual places)')
    .option('--home <folder>', "Hintgate's own folder, one of those places (default: ~/.hintgate)")
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n${example}\n${EXAMPLES.slice(EXAMPLES.indexOf('\nExit codes'))}`)
}
