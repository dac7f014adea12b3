import { homedir } from 'node:os'
import { assessTool } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import { measureCoverage } from '../../catalog/coverage.ts'
import { loadConfig } from '../../config/load-config.ts'
import { type Probe, probeServer } from '../../doctor/probe-server.ts'
import { indent, reveal } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { reportError, surviveFaults } from '../terminal/context.ts'
import { createPaint, EXIT, write } from '../terminal/output.ts'
import { NO_SERVERS, type ServerFlags } from './servers-flags.ts'

const SHOWN_LINES = 8

/** `hintgate servers test`: starts servers as the gateway would, and says what came of it. Nothing is written down. */
export async function testServers(names: readonly string[], flags: ServerFlags): Promise<void> {
  try {
    surviveFaults()
    const chosen = choose(names, flags)
    // One after the other as they come: the slowest may take long.
    const probing = chosen.servers.map(async server => {
      const report = describe(await probeServer(server, chosen.limits))
      if (!flags.json) await write(show(report))
      return report
    })
    if (probing.length === 0 && !flags.json)
      await write(chosen.isAnyOff ? 'All servers are off.\n' : NO_SERVERS)
    const reports = await Promise.all(probing)
    if (flags.json) await write(showJson(reports))
    process.exitCode = reports.every(({ ok }) => ok) ? EXIT.done : EXIT.failed
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

function choose(names: readonly string[], flags: ServerFlags) {
  const { config } = loadConfig({
    path: flags.config,
    env: process.env,
    cwd: process.cwd(),
    homeDir: homedir(),
    flags: { home: flags.home, store: flags.store },
    // The secrets of the others need not be at hand.
    skip: ([section, name]) =>
      section !== 'limits' &&
      (section !== 'mcpServers' || !isMeant(names, name === undefined ? name : String(name))),
  })
  const known = new Set(config.servers.map(({ name }) => name))
  const missing = names.find(name => !known.has(name))
  if (missing !== undefined) throw new HintgateError('unknown_server', { server: missing })
  const servers = config.servers.filter(({ name, enabled }) =>
    names.length === 0 ? enabled : names.includes(name),
  )
  return { servers, limits: config.limits, isAnyOff: known.size > servers.length }
}

function isMeant(names: readonly string[], name: string | undefined): boolean {
  return names.length === 0 || name === undefined || names.includes(name)
}

function describe({ server, tools, definitions, spoken, failure, stderr }: Probe) {
  const { declared, inferred, assumed } = measureCoverage(
    definitions.map(definition => assessTool(definition)),
  )
  return {
    server,
    ok: failure === undefined,
    ...(spoken && { era: spoken.era, version: spoken.version }),
    tools,
    hints: { declared, inferred, assumed },
    ...(failure !== undefined && { failure }),
    stderr: stderr.slice(-SHOWN_LINES),
  }
}

function show({
  server,
  ok,
  era,
  version,
  tools,
  hints,
  failure,
  stderr,
}: ReturnType<typeof describe>): string {
  const paint = createPaint(process.stdout, process.env)
  if (!ok) {
    const said = stderr.map(line => `  | ${reveal(line)}\n`).join('')
    const fix = fixOf(server, failure ?? '')
    return `${paint('red', 'failed')} ${server}: ${indent(reveal(failure ?? ''), '  ').trimStart()}\n${said}  fix: ${fix}\n`
  }
  const all = hints.declared + hints.inferred + hints.assumed
  const share = all === 0 ? '' : `; ${Math.round((100 * hints.declared) / all)} % of their hints declared`
  return `${paint('green', 'ok')} ${server}: speaks ${version} (${era}), ${tools} tools${share}\n`
}

function fixOf(server: string, failure: string): string {
  if (/does not exist on this machine/.test(failure))
    return `install it, or correct mcpServers.${server}.command`
  if (/HTTP 40[13]/.test(failure))
    return `it wants a credential: add "headers": { "Authorization": … } to mcpServers.${server}; for OAuth: hintgate servers login ${server}`
  return `see what its "command" or "url" in mcpServers.${server} does by itself`
}
