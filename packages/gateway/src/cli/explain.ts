import { Command } from 'commander'
import type { ExplainFlags } from './run/run-explain.ts'

const ABOUT = `
Every error says its code, here, in refusals of calls and in answers of the admin API.

Examples:
  $ hintgate explain quarantined
  $ hintgate explain

Exit codes: 0 done, 2 there is no such code.`

export function explainCommand(): Command {
  return new Command('explain')
    .description('what an error code means, and what to do about it')
    .argument('[code]', 'as it stands in the error; without it all codes are listed')
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (code: string | undefined, flags: ExplainFlags) =>
      (await import('./run/run-explain.ts')).runExplain(code, flags),
    )
}
