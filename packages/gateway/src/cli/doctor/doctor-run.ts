import { carryOutRepairs, needsAttention, planRepairs } from '../../doctor/finding.ts'
import { revealName } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { createPaint, EXIT, write } from '../terminal/output.ts'
import { type LookFlags, look } from './doctor-look.ts'
import { showExamination } from './doctor-show.ts'

export interface DoctorFlags extends LookFlags {
  readonly fix?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** `hintgate doctor`: what is wrong, and with `--fix` what is left after everything safe was mended. */
export async function runDoctor(flags: DoctorFlags): Promise<void> {
  const now = Date.now()
  const { findings: found, servers } = await look({ ...flags, onWait: flags.json ? undefined : sayWait }, now)
  const isMended = flags.fix === true && flags.dryRun !== true
  const { findings, repairs } = isMended ? await carryOutRepairs(found, now) : planRepairs(found)
  const isWell = !findings.some(needsAttention)
  // What a repair is made of is nobody's business but ours.
  const shown = findings.map(({ repair: _, ...finding }) => finding)
  await write(
    flags.json
      ? showJson({ ok: isWell, findings: shown, servers, repairs })
      : showExamination({ findings, servers, repairs }, createPaint(process.stdout, process.env)),
  )
  process.exitCode = isWell ? EXIT.done : EXIT.failed
}

/** Some servers take long to start, and silence looks like a fault. */
function sayWait(servers: readonly string[]): void {
  process.stderr.write(`hintgate: waiting for ${servers.map(name => revealName(name)).join(', ')}\n`)
}
