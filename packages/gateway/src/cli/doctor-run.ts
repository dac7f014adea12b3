import { homedir } from 'node:os'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { checkProblems } from '../doctor/check-config.ts'
import { checkServers } from '../doctor/check-servers.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { type DoctorFinding, needsAttention } from '../doctor/finding.ts'
import { probeServer } from '../doctor/probe-server.ts'
import { HintgateError, hasCode } from '../errors.ts'
import { describeTokens } from '../tokens/describe-token.ts'
import { createPaint } from './colours.ts'
import { type Context, type PlaceFlags, withStore } from './context.ts'
import { showExamination } from './doctor-show.ts'
import { EXIT } from './exit-codes.ts'
import { write } from './output.ts'
import { isOfNoInterest, openDesk } from './review-desk.ts'
import { showJson } from './show/show-json.ts'

export interface DoctorFlags extends PlaceFlags {
  readonly connect?: boolean
  readonly json?: boolean
}

const NOTHING: Examination = { findings: [], servers: [] }

/** `hintgate doctor`: one thing that is wrong does not keep it from looking at the rest. */
export async function runDoctor(flags: DoctorFlags): Promise<void> {
  const read = readConfig(flags)
  const stored = await lookIntoStore(flags, 'config' in read)
  const probed = flags.connect && 'config' in read ? await connect(read.config) : []
  const examination: Examination = {
    findings: unique([...('findings' in read ? read.findings : []), ...stored.findings, ...probed]),
    servers: stored.servers,
  }
  const isWell = !examination.findings.some(needsAttention)
  await write(
    flags.json
      ? showJson({ ok: isWell, ...examination })
      : showExamination(examination, createPaint(process.stdout, process.env)),
  )
  process.exitCode = isWell ? EXIT.done : EXIT.failed
}

/** With every secret that the servers need: a gateway would need them, too. */
function readConfig({ config: path, home, store }: DoctorFlags): { config: Config } | Examination {
  try {
    const places = { env: process.env, cwd: process.cwd(), homeDir: homedir() }
    return loadConfig({ path, ...places, flags: { home, store } })
  } catch (error) {
    return { ...NOTHING, findings: explain(error) }
  }
}

/** What is missing in a part of the config has been told; the store can be looked at without it. */
async function lookIntoStore(flags: DoctorFlags, isConfigWhole: boolean): Promise<Examination> {
  try {
    return await withStore({ ...flags, ...(isConfigWhole ? {} : { skip: isOfNoInterest }) }, examineStore)
  } catch (error) {
    return { ...NOTHING, findings: explain(error) }
  }
}

async function examineStore(context: Context): Promise<Examination> {
  const { known, items, overrides, config, store } = await openDesk(context)
  const now = Date.now()
  return examine({
    config,
    known,
    items,
    overrideOf: (server, tool) => overrides.find(server, tool, config.overrides),
    tokens: describeTokens(await store.tokens.list(), config.agentTokens, now),
    path: process.env.PATH ?? '',
    now,
  })
}

async function connect({ servers, limits }: Config): Promise<readonly DoctorFinding[]> {
  const probes = servers.filter(({ enabled }) => enabled).map(server => probeServer(server, limits))
  return checkServers(await Promise.all(probes))
}

function explain(error: unknown): readonly DoctorFinding[] {
  if (!(error instanceof HintgateError)) throw error
  if (hasCode(error, 'config_invalid')) return checkProblems(error.payload.file, error.payload.problems)
  return [{ code: error.code, level: 'error', text: error.message, fix: error.remedy }]
}

/** Both ways to read the config find the same problems. */
function unique(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  return [...new Map(findings.map(finding => [JSON.stringify(finding), finding])).values()]
}
