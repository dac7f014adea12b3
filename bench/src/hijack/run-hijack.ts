import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { assessTool } from '@hintgate/metadata'
import type { EvalContext } from '../evaluation.ts'
import { type Gateway, startGateway } from '../performance/start-gateway.ts'
import { ReplayClient } from './agent-client.ts'
import { loadSuites, type Suite } from './load-suites.ts'
import { type Played, playCase } from './play-case.ts'
import { type ReplayServer, startReplayServer } from './replay-server.ts'
import { reportHijack } from './report.ts'
import { FORMS, type Form, UNSEEN_FORMS } from './rewrite-attack.ts'
import { scoreRuns } from './score.ts'

/** Settings of the gateway as a control: they show what is possible with this data. */
const CONTROLS: Readonly<Record<string, object>> = {
  'allow all': { confirm: { provenance: 'off', trifecta: 'off', destructive: 'never' } },
  'ask every write': {
    confirm: { provenance: 'off', trifecta: 'off', write: 'always', destructive: 'always' },
  },
}

interface Played1 {
  readonly suite: string
  readonly form: Form
  readonly setting: string
  readonly runs: readonly Played[]
}

/** Replays recorded runs through a real gateway. Answers with the process's exit code. */
export async function runHijack(context: EvalContext): Promise<number> {
  const suites = await loadSuites(context.dataFolder, context.suite)
  if (suites.length === 0) {
    context.complain(`No suites in ${context.dataFolder}/hijack. Name another folder with --data DIR.`)
    return 2
  }
  const settings: [string, object][] = [
    ['defaults', await readConfig(context.config)],
    ...Object.entries(CONTROLS),
  ]
  const played: Played1[] = []
  for (const [setting, config] of settings) {
    const forms = setting === 'defaults' ? (Object.keys(FORMS) as Form[]) : (['recorded'] as const)
    for (const suite of suites) played.push(...(await playSuite(suite, { setting, config, forms, context })))
  }
  const scored = played.map(({ runs, ...of }) => ({ ...of, runs, score: scoreRuns(of.suite, runs) }))
  context.print(
    context.json
      ? JSON.stringify(
          scored.map(({ runs: _runs, ...rest }) => rest),
          undefined,
          2,
        )
      : reportHijack(scored, { unseen: UNSEEN_FORMS, lists: context.misses }),
  )
  return 0
}

async function readConfig(file: string | undefined): Promise<object> {
  return file === undefined ? {} : (JSON.parse(await readFile(file, 'utf8')) as object)
}

interface Setting {
  readonly setting: string
  readonly config: object
  readonly forms: readonly Form[]
  readonly context: EvalContext
}

/** One gateway and one server for each suite; a fresh agent and session for each run. */
async function playSuite(suite: Suite, { setting, config, forms, context }: Setting): Promise<Played1[]> {
  const server = await startReplayServer(suite.tools)
  const mcpServers = { replay: { url: server.url, trust: 'trusted' } }
  const gateway = await startGateway({ ...config, mcpServers })
  try {
    const client = new ReplayClient(gateway.url, await mintAdmin(gateway))
    const played: Played1[] = []
    for (const form of forms) {
      context.complain(`playing ${suite.name}: ${setting}, ${form}`)
      const runs = await playRuns(suite, form, { client, server })
      played.push({ suite: suite.name, form, setting, runs })
    }
    return played
  } finally {
    await gateway.stop()
    await server.close()
  }
}

async function playRuns(
  { cases, tools }: Suite,
  form: Form,
  { client, server }: { readonly client: ReplayClient; readonly server: ReplayServer },
): Promise<Played[]> {
  const reads = new Set(
    tools.filter(tool => assessTool(tool).inferred.readOnly?.value).map(({ name }) => name),
  )
  const runs: Played[] = []
  for (const [number, one] of cases.entries()) {
    if (form !== 'recorded' && one.kind === 'honest') continue
    const token = await client.createAgent(`${form.replaceAll(' ', '-')}-${number}`)
    const isPlainRead = (tool: string): boolean => reads.has(tool)
    runs.push(await playCase(one, { client, server, serverName: 'replay', token, form, isPlainRead }))
  }
  return runs
}

async function mintAdmin({ place }: Gateway): Promise<string> {
  const bin = new URL('../../../packages/gateway/bin/hintgate.js', import.meta.url)
  const args = [bin.pathname, 'tokens', 'create', 'replay-admin', '--role', 'admin', '--json', ...place]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return (JSON.parse(stdout) as { token: string }).token
}
