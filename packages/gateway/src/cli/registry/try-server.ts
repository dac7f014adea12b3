import { homedir } from 'node:os'
import { HintgateError } from '../../base/errors.ts'
import { openOwnConfig } from '../../client-configs/own-config.ts'
import type { Config } from '../../config/config.ts'
import { checkConfigText } from '../../config/load-config.ts'
import { probeServer } from '../../doctor/probe-server.ts'
import type { Json } from '../../protocol/messages.ts'
import { lintDefinitions } from '../lint/run-lint.ts'
import { reveal } from '../show/review-text.ts'
import { surviveFaults } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'
import type { FilledPiece } from './fill-inputs.ts'
import type { Plan } from './plan-install.ts'
import { declined, type EntryFlags, isAgreed, lookUp, requirePlan } from './run-registry.ts'

interface TryFlags extends EntryFlags {
  /** `--no-sandbox` sets it to false. */
  readonly sandbox?: boolean
}

/** Starts a server from the registry in a sandbox, lints its tools, and stops it. Nothing is stored. */
export async function tryServer(name: string, flags: TryFlags): Promise<Ending> {
  const looked = await lookUp(name, flags)
  const plan = requirePlan(looked)
  const where = flags.sandbox === false ? 'WITHOUT a sandbox' : 'in a sandbox'
  const question = 'url' in plan ? 'Connect to it now?' : `Run it now, ${where}?`
  if (!(await isAgreed(looked, flags, question)))
    return declined(looked, flags, 'Nothing was run. To run it, give --yes.')
  surviveFaults()
  const { servers, limits } = configOf(entryOf(plan, flags), flags)
  const [server] = servers
  if (server === undefined) throw new Error('a config with one server has one server')
  const { definitions, failure, stderr } = await probeServer(server, limits, { name: 'hintgate-try' })
  if (failure !== undefined) {
    const said = stderr.slice(-8).map(line => `  | ${reveal(line)}\n`)
    return { code: EXIT.failed, err: `hintgate: ${name}: ${reveal(failure)}\n${said.join('')}` }
  }
  return { code: await lintDefinitions(definitions, { file: name, format: flags.json ? 'json' : 'text' }) }
}

/** Checks the server as if the config contained it: the same variables are refused, and references are filled in. */
function configOf(server: Json, flags: TryFlags): Config {
  const own = openOwnConfig(flags)
  const text = JSON.stringify({ mcpServers: { tried: server } })
  const places = { env: process.env, cwd: process.cwd(), homeDir: homedir(), flags: { home: own.home } }
  const { config, problems } = checkConfigText(text, own.path, places)
  if (config === undefined || problems.length > 0)
    throw new HintgateError('config_invalid', { file: 'the registry entry', problems })
  return config
}

/** The sandbox needs the network, because the package is downloaded inside it. */
const SANDBOX = { network: true }

function entryOf(plan: Plan, { sandbox }: TryFlags): Json {
  if ('url' in plan)
    return { url: write(plan.url), headers: writeAll(plan.headers), ...(plan.isSse && { type: 'sse' }) }
  return {
    command: plan.command,
    args: plan.args.map(write),
    env: writeAll(plan.env),
    ...(sandbox !== false && { sandbox: SANDBOX }),
  }
}

function writeAll(values: Readonly<Record<string, readonly FilledPiece[]>>): Json {
  return Object.fromEntries(Object.entries(values).map(([name, pieces]) => [name, write(pieces)]))
}

function write(pieces: readonly FilledPiece[]): string {
  return pieces.map(piece => (piece.kind === 'variable' ? '' : piece.text)).join('')
}
