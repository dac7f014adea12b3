import { Command, InvalidArgumentError, Option } from 'commander'
import { type Ending, EXIT, write } from '../terminal/output.ts'

/** Imports a command's module when the command runs, so that other commands start faster. `main` reports errors. */
export function loadAndRun<M>(load: () => Promise<M>, name: keyof M, ...first: readonly unknown[]) {
  return async (...given: readonly unknown[]): Promise<void> => {
    const run = (await load())[name] as (...all: readonly unknown[]) => Promise<Ending | number | undefined>
    const ended = await run(...first, ...given)
    const {
      code = EXIT.done,
      out = '',
      err = '',
    } = typeof ended === 'number' ? { code: ended } : (ended ?? {})
    await write(out)
    process.stderr.write(err)
    process.exitCode = code
  }
}

/** Creates a command with subcommands. Each subcommand's help shows its own line of the examples. */
export function createFamily(name: string, about: string, help: string) {
  const parent = new Command(name).description(about).addHelpText('after', help)
  const add = (usage: string, description: string, example?: string): Command => {
    const [own = ''] = usage.split(' ')
    const line = help.split('\n').find(text => text.includes(`${name} ${own}`)) ?? example ?? ''
    return parent.command(usage).description(description).addHelpText('after', `\nExample:\n${line}`)
  }
  return {
    parent,
    add,
    addPlaced: (...given: Parameters<typeof add>) => addJson(addPlaceOptions(add(...given))),
  }
}

export function addJson(command: Command): Command {
  return command.option('--json', 'print JSON')
}

export function addPlaceOptions(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'config file (default: $HINTGATE_CONFIG, ./hintgate.json, then the home folder)',
    )
    .option('--home <folder>', "Hintgate's own folder (default: ~/.hintgate)")
    .option('--store <url>', 'store to use instead of the one in the config')
}

/** Adds `--config` and `--home` to commands that need neither, so that scripts can pass them to every command. */
export function completePlaceOptions(command: Command): void {
  for (const child of command.commands) completePlaceOptions(child)
  if (command.commands.length > 0) return
  const needless = 'accepted by every command, ignored by this one'
  for (const option of [new Option('-c, --config <file>', needless), new Option('--home <folder>', needless)])
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option)
}

export function addClientOptions(command: Command): Command {
  const named = addPlaceOptions(command)
    .option('--as <agent>', "act with this agent's scope (default: everything)")
    .option('--url <url>', 'use a running gateway instead of starting the servers')
    .option(
      '--token <token>',
      'token for that gateway; use $HINTGATE_TOKEN instead to keep it out of process lists',
    )
  return addJson(named)
}

/** Collects the values of an option that can be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number.')
  return Number(text)
}

export function oneOf(flags: string, about: string, values: readonly string[]): Option {
  return new Option(flags, about).choices([...values])
}
