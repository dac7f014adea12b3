import { Command } from 'commander'
import type { DoctorFlags } from './doctor/doctor-run.ts'
import { addPlaceOptions } from './terminal/context.ts'

const ABOUT = `
Looks at the config, its policies and guardrails, the store, the port, files and their rights, the clock, the disk and
tokens; no gateway needs to be running, and nothing is changed. With --connect every server is started (or connected
to), asked for its tools, and stopped again. With --fix what is safe is mended: rights of files, leftovers, a missing
home folder, results that have expired. Without it you are told what --fix would do.

Examples:
  $ hintgate doctor
  $ hintgate doctor --connect --json
  $ hintgate doctor --fix --dry-run
  $ hintgate doctor --fix

Exit codes: 0 nothing is wrong, 1 something needs attention, 2 wrong usage.`

export function doctorCommand(): Command {
  return addPlaceOptions(
    new Command('doctor').description('what is wrong, what waits for you, and what to do about it'),
  )
    .option('--connect', 'start every server to see whether it starts')
    .option('--fix', 'mend what is safe to mend, and say what was done')
    .option('--dry-run', 'with --fix: only say what would be done')
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (flags: DoctorFlags) => (await import('./doctor/doctor-run.ts')).runDoctor(flags))
}
