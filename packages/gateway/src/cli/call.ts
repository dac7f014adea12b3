import { CALL_VARIANTS } from '@hintgate/metadata'
import { Command, Option } from 'commander'
import type { CallFlags } from './calls/run-call.ts'
import { addClientOptions, collect } from './client/client-flags.ts'

const EXAMPLES = `
Examples:
  $ hintgate call notes:search_notes '{"query": "milk"}'
  $ hintgate call notes:add_note --arg title=Milk --arg text="two litres" --as reporting-bot
  $ hintgate call notes:delete_note - --json < arguments.json
  $ HINTGATE_TOKEN=hg_agent_… hintgate call notes:search_notes --arg query=milk --url http://127.0.0.1:4428

The value of --arg is JSON where it can be read as such, else a text; a number as a text takes quotes: --arg 'id="3"'.
Without --url the server is started for this call, and stopped again. With --url a running gateway is asked.

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 10 refused by policy, 11 waiting for approval.`

export function callCommand(): Command {
  const command = new Command('call')
    .description('call one tool, with every check that an agent goes through')
    .argument('<server:tool>', 'the tool')
    .argument('[args]', 'its arguments as a JSON object; - reads them from standard input')
    .option('--arg <key=value>', 'one argument; may be given several times', collect)
    .addOption(
      new Option('--variant <variant>', 'how to call it (default: as the tool needs)').choices([
        'read',
        'write',
        'destructive',
        ...CALL_VARIANTS,
      ]),
    )
    .option('--intent-reason <text>', 'what the call is for; goes into its intent')
  return addClientOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, args: string | undefined, flags: CallFlags) =>
      (await import('./calls/run-call.ts')).call(id, args, flags),
    )
}
