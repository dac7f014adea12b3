import { type Command, InvalidArgumentError } from 'commander'
import { addPlaceOptions, type PlaceFlags } from '../terminal/context.ts'

/** Where a command finds its gateway, and as whom it comes. */
export interface ClientFlags extends PlaceFlags {
  readonly url?: string
  readonly token?: string
  readonly as?: string
  readonly json?: boolean
}

export function addClientOptions(command: Command): Command {
  return addPlaceOptions(command)
    .option('--as <agent>', 'act with the scope of this agent (default: everything)')
    .option('--url <url>', 'ask a running gateway instead of starting the servers here')
    .option('--token <token>', 'its token; better in $HINTGATE_TOKEN, which others cannot see')
    .option('--json', 'print JSON')
}

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a number.')
  return Number(text)
}
