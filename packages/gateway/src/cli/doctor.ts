import { Command } from 'commander'
import { addPlaceOptions } from './context.ts'
import type { DoctorFlags } from './doctor-run.ts'

const ABOUT = `
Looks at the config and the store; no gateway needs to be running, and nothing is changed.
With --connect every server is started (or connected to), asked for its tools, and stopped again.

Examples:
  $ hintgate doctor
  $ hintgate doctor --connect --json

Exit codes: 0 nothing is wrong, 1 something needs attention, 2 wrong usage.`

export function doctorCommand(): Command {
  return addPlaceOptions(
    new Command('doctor').description('what is wrong, what waits for you, and what to do about it'),
  )
    .option('--connect', 'start every server to see whether it starts')
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (flags: DoctorFlags) => (await import('./doctor-run.ts')).runDoctor(flags))
}
