import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Path } from '../../base/errors/problem.ts'
import { HintgateError, hasCode } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { findConfig } from '../../config/resolve-path.ts'
import { checkProblems, checkRules } from '../../doctor/check-config.ts'
import { checkWaivers } from '../../doctor/check-questions.ts'
import { checkStore, inspectStore, mayOpen } from '../../doctor/check-store.ts'
import type { Examination } from '../../doctor/examine.ts'
import { examineMachine } from '../../doctor/examine-machine.ts'
import { carryOutRepairs, type DoctorFinding, needsAttention, planRepairs } from '../../doctor/finding.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import { readPolicyFiles } from '../../policy/rules/read-policy-files.ts'
import { openStore } from '../../store/open/open-store.ts'
import { isUnneeded } from '../client/review-context.ts'
import { revealName } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { allBut, type CommonFlags, loadHere, type PlaceFlags } from '../terminal/context.ts'
import { type Ending, EXIT, paint } from '../terminal/output.ts'
import { showExamination } from './doctor-show.ts'
import { examineStore, loadKeyIfThere, type ProbeOptions } from './doctor-store.ts'

interface DoctorFlags extends LookFlags, CommonFlags {
  readonly fix?: boolean
  readonly dryRun?: boolean
}

export async function runDoctor(flags: DoctorFlags): Promise<Ending> {
  const now = Date.now()
  const { findings: found, servers } = await look(
    { ...flags, onWait: flags.json ? undefined : reportWait },
    now,
  )
  const shouldFix = flags.fix === true && flags.dryRun !== true
  const { findings, repairs } = shouldFix ? await carryOutRepairs(found, now) : planRepairs(found)
  const isHealthy = !findings.some(needsAttention)
  const shown = findings.map(({ repair: _, ...finding }) => finding)
  const out = flags.json
    ? showJson({ ok: isHealthy, findings: shown, servers, repairs })
    : showExamination({ findings, servers, repairs }, paint)
  return { code: isHealthy ? EXIT.done : EXIT.failed, out }
}

/** Tells the user which servers the command is waiting for, because servers can start slowly. */
function reportWait(servers: readonly string[]): void {
  process.stderr.write(`hintgate: waiting for ${servers.map(name => revealName(name)).join(', ')}\n`)
}

interface LookFlags extends PlaceFlags, ProbeOptions {}

const NOTHING: Examination = { findings: [], servers: [] }

/** Runs every check, even if an earlier one found a problem. */
async function look(flags: LookFlags, now: number): Promise<Examination> {
  const whole = await read(flags)
  // If the config has problems, the parts that the store's check does not need are skipped.
  const loaded = 'config' in whole ? whole : await read(flags, isUnneeded)
  const config = 'config' in loaded ? loaded.config : undefined
  const places = findPlaces(flags, config)
  const around = await examineMachine({ ...places, listen: listenOf(whole) }, now)
  const stored =
    'config' in loaded
      ? await lookIntoStore(loaded, { ...flags, connect: flags.connect && whole === loaded }, now)
      : NOTHING
  const reported = [whole, loaded].flatMap(one => ('findings' in one ? one.findings : []))
  const ruled = 'config' in whole ? whole : await read(flags, allBut('policies', 'guardrails'))
  const rules = 'config' in ruled ? [...(await checkRules(ruled)), ...checkOldWaivers(ruled, now)] : []
  return {
    findings: unique([...reported, ...rules, ...stored.findings, ...checkKey(places.home), ...around]),
    servers: stored.servers,
  }
}

function checkOldWaivers({ config, folder }: LoadedConfig, now: number): readonly DoctorFinding[] {
  return checkWaivers(parsePolicies(readPolicyFiles(config.policies, folder).files).rules, now)
}

type Read = LoadedConfig | { readonly findings: readonly DoctorFinding[] }

/** Reads the config as a gateway would, with all secrets except those in skipped sections. */
async function read(flags: PlaceFlags, skip?: (path: Path) => boolean): Promise<Read> {
  try {
    return await loadHere({ ...flags, skip })
  } catch (error) {
    return { findings: explain(error) }
  }
}

function listenOf(read: Read): Config['listen'] | undefined {
  return 'config' in read ? read.config.listen : undefined
}

/** Finds where the config and the home folder are, even if the config cannot be read. */
function findPlaces({ config: path, home: given }: PlaceFlags, config: Config | undefined) {
  const home = given === undefined ? join(homedir(), '.hintgate') : resolve(given)
  return {
    home,
    config: findConfig({ path, env: process.env, cwd: process.cwd(), home }),
    store: config && fileOf(config.store),
  }
}

/** Checks the secret key, except for `secret_key_exposed`, which the check of file permissions reports. */
function checkKey(home: string): readonly DoctorFinding[] {
  try {
    loadKeyIfThere(home)
    return []
  } catch (error) {
    return explain(error).filter(({ code }) => code !== 'secret_key_exposed')
  }
}

function fileOf(store: string): string | undefined {
  return store.startsWith('sqlite:') ? store.slice('sqlite:'.length) : undefined
}

/** Checks the store. A store that opening would migrate is not opened, because doctor changes nothing. */
async function lookIntoStore(loaded: LoadedConfig, flags: LookFlags, now: number): Promise<Examination> {
  try {
    const file = fileOf(loaded.config.store)
    const facts = file === undefined ? undefined : await inspectStore(file, now)
    const findings = facts === undefined ? [] : checkStore(facts)
    const isOpened = facts === undefined || mayOpen(facts)
    const look = isOpened ? openAndExamine : examineStore
    const examination = await look(loaded, flags, now)
    return { ...examination, findings: [...findings, ...examination.findings] }
  } catch (error) {
    return { ...NOTHING, findings: explain(error) }
  }
}

async function openAndExamine(loaded: LoadedConfig, flags: LookFlags, now: number): Promise<Examination> {
  const store = await openStore(loaded.config.store)
  try {
    return await examineStore({ ...loaded, store }, flags, now)
  } finally {
    await store.close()
  }
}

function explain(error: unknown): readonly DoctorFinding[] {
  if (!(error instanceof HintgateError)) throw error
  if (hasCode(error, 'config_invalid')) return checkProblems(error.payload.file, error.payload.problems)
  return [{ code: error.code, level: 'error', text: error.message, fix: error.remedy }]
}

/** Removes duplicate findings, because the config is read more than once and each read reports the same problems. */
function unique(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  return [...new Map(findings.map(finding => [JSON.stringify(finding), finding])).values()]
}
