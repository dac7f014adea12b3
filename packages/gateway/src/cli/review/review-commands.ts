import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ReviewState } from '../../catalog/judge-definition.ts'
import type { DefinitionKind } from '../../store/store.ts'
import { collect } from '../client/client-flags.ts'
import { addPlaceOptions } from '../terminal/context.ts'
import type { Act, DecideFlags } from './review-decide.ts'
import type { DiffFlags } from './review-diff.ts'
import type { HistoryFlags } from './review-history.ts'
import type { ListFlags } from './review-list.ts'
import type { OverrideFlags } from './review-override.ts'

const STATES: readonly ReviewState[] = ['pending', 'changed', 'rejected', 'disabled', 'approved']
const KINDS: readonly DefinitionKind[] = ['tool', 'prompt', 'template', 'instructions']

const WAITING: readonly ReviewState[] = ['pending', 'changed']
const ACTS: readonly (Act & { readonly description: string; readonly example: string })[] = [
  {
    verb: 'approve',
    done: 'approved',
    usualStates: WAITING,
    description: 'let definitions be seen and used, each exactly as it is now',
    example: 'approve notes:read@1a2b3c4d5e6f --note "read it, fine"',
  },
  {
    verb: 'reject',
    done: 'rejected',
    usualStates: WAITING,
    description: 'refuse definitions as they are now',
    example: 'reject notes:read@1a2b3c4d5e6f --note "wants ~/.ssh"',
  },
  {
    verb: 'disable',
    done: 'disabled',
    usualStates: STATES.filter(state => state !== 'disabled'),
    description: 'switch definitions off, whatever becomes of them',
    example: 'disable notes:delete_all',
  },
  {
    verb: 'enable',
    done: 'enabled',
    usualStates: ['disabled'],
    description: 'switch definitions on again; what is not approved still waits',
    example: 'enable notes:delete_all',
  },
]

const ABOUT = `
A running gateway notices within a second; none needs to be running.
Exit codes: 0 done, 1 failed (not found, changed meanwhile), 2 wrong usage or config.`

/** The commands of a reviewer, below `hintgate tools`. */
export function addReviewCommands(tools: Command): void {
  add(tools, 'review', 'what waits for review', 'review --server notes')
    .option('--server <name>', 'only of this server; may be given several times', collect)
    .action(async (flags: ListFlags) => (await import('./review-list.ts')).review(flags))
  addDiff(tools)
  for (const act of ACTS) addAct(tools, act)
  add(tools, 'history <server:name>', 'every version that was ever seen', 'history notes:read')
    .addOption(kindOption())
    .action(async (id: string, flags: HistoryFlags) =>
      (await import('./review-history.ts')).history(id, flags),
    )
  addOverride(tools)
}

function add(parent: Command, usage: string, description: string, example: string): Command {
  const command = addPlaceOptions(parent.command(usage).description(description))
  return command
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  $ hintgate tools ${example}\n${ABOUT}`)
}

function addDiff(tools: Command): void {
  add(tools, 'diff <server:name>', 'what changed since it was approved, and the evidence', 'diff notes:read')
    .addOption(kindOption())
    .option('--from <fingerprint>', 'compare with this version (default: the one approved last)')
    .option('--to <fingerprint>', 'show this version (default: what the server has now)')
    .action(async (id: string, flags: DiffFlags) => (await import('./review-diff.ts')).diff(id, flags))
}

function addAct(tools: Command, { description, example, ...act }: (typeof ACTS)[number]): void {
  const command = add(tools, `${act.verb} [server:name[@fingerprint]...]`, description, example)
    .addOption(kindOption())
    .option('--state <state>', `only what is in this state: ${STATES.join(', ')}`, parseState)
    .option('--all', `everything of all servers that is ${act.usualStates.join(' or ')}`)
    .option('-y, --yes', 'do not ask, although it is more than one')
  if (act.verb === 'approve' || act.verb === 'reject')
    command
      .option('--note <text>', 'why, for those who come later')
      .option('--by <name>', 'who decides (default: the user of this machine)')
  command.action(async (targets: string[], flags: DecideFlags) =>
    (await import('./review-decide.ts')).decide(act, targets, flags),
  )
}

function addOverride(tools: Command): void {
  const example = 'override notes:archive --set readOnlyHint=false,destructiveHint=true'
  add(tools, 'override [server:tool]', 'hints that you know better than the server', example)
    .option('--set <hints>', 'readOnlyHint=true,destructiveHint=false', collect)
    .option('--clear <hints>', 'leave these to the server again', collect)
    .option('--remove', 'leave all to the server again')
    .option('--list', 'show what is overridden')
    .option('--export', 'print the overrides block for hintgate.json')
    .option('--by <name>', 'who decides (default: the user of this machine)')
    .action(async (id: string | undefined, flags: OverrideFlags) =>
      (await import('./review-override.ts')).override(id, flags),
    )
}

function kindOption(): Option {
  return new Option('--kind <kind>', 'only of this kind').choices([...KINDS])
}

function parseState(text: string, before: readonly ReviewState[] = []): readonly ReviewState[] {
  const state = STATES.find(known => known === text)
  if (state === undefined) throw new InvalidArgumentError(`It is one of ${STATES.join(', ')}.`)
  return [...before, state]
}
