import { assessTool } from '@hintgate/metadata'
import type { Path } from '../../base/errors/problem.ts'
import { HintgateError } from '../../base/errors.ts'
import { measureCoverage } from '../../catalog/coverage.ts'
import { type Probe, probeServer } from '../../doctor/probe-server.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { createUpstreamOAuth, type UpstreamOAuth } from '../../upstream/oauth/upstream-oauth.ts'
import { LEFT_OUT } from '../../upstream/openapi/openapi-channel.ts'
import { indent, reveal } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { type CommonFlags, type Context, loadHere, surviveFaults, withStore } from '../terminal/context.ts'
import { type Ending, EXIT, paint, write } from '../terminal/output.ts'
import { NO_SERVERS } from './run-servers.ts'

const SHOWN_LINES = 8

/** Runs `hintgate servers test`: starts servers as the gateway would, and stores nothing. */
export async function testServers(names: readonly string[], flags: CommonFlags): Promise<Ending> {
  surviveFaults()
  const chosen = await choose(names, flags)
  // Each result is printed when it arrives, because one server can be slow.
  const probing = chosen.servers.map(async server => {
    const report = describe(await probeServer(server, chosen.limits))
    if (!flags.json) await write(show(report))
    return report
  })
  if (probing.length === 0 && !flags.json)
    return { out: chosen.isAnyOff ? 'All servers are disabled.\n' : NO_SERVERS }
  const reports = await Promise.all(probing)
  const code = reports.every(({ ok }) => ok) ? EXIT.done : EXIT.failed
  return { code, out: flags.json ? showJson(reports) : '' }
}

async function choose(names: readonly string[], flags: CommonFlags) {
  // The secrets of servers that are not tested are allowed to be missing.
  const skip = ([section, name]: Path): boolean =>
    section !== 'limits' &&
    (section !== 'mcpServers' || !isMeant(names, name === undefined ? name : String(name)))
  const { config } = await loadHere({ ...flags, skip })
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

function describe({ server, tools, definitions, protocol, failure, stderr }: Probe) {
  const { declared, inferred, assumed } = measureCoverage(
    definitions.map(definition => assessTool(definition)),
  )
  return {
    server,
    ok: failure === undefined,
    ...(protocol && { era: protocol.era, version: protocol.version }),
    tools,
    hints: { declared, inferred, assumed },
    ...(failure !== undefined && { failure }),
    stderr:
      failure === undefined ? stderr.filter(line => line.startsWith(LEFT_OUT)) : stderr.slice(-SHOWN_LINES),
  }
}

function show(report: ReturnType<typeof describe>): string {
  const { server, ok, era, version, tools, hints, failure, stderr } = report
  if (!ok) {
    const said = stderr.map(line => `  | ${reveal(line)}\n`).join('')
    const fix = fixOf(server, failure ?? '')
    return `${paint('red', 'failed')} ${server}: ${indent(reveal(failure ?? ''), '  ').trimStart()}\n${said}  fix: ${fix}\n`
  }
  const all = hints.declared + hints.inferred + hints.assumed
  const share = all === 0 ? '' : `, ${Math.round((100 * hints.declared) / all)} % of their hints declared`
  const left = stderr.map(line => `  ${reveal(line)}\n`).join('')
  return `${paint('green', 'ok')} ${server}: speaks ${version} (${era}), ${tools} tools${share}\n${left}`
}

function fixOf(server: string, failure: string): string {
  if (/does not exist on this machine/.test(failure))
    return `install the program, or correct mcpServers.${server}.command`
  if (/HTTP 40[13]/.test(failure))
    return `add "headers": { "Authorization": … } to mcpServers.${server}; for OAuth, run hintgate servers login ${server}`
  return `try the "command" or "url" of mcpServers.${server} without the gateway`
}

const WITHOUT = 'its entry in the config has no "oauth"'

/** Runs `hintgate servers login NAME`: prints the URL for signing in. The browser then returns to the running gateway. */
export function login(name: string, flags: CommonFlags): Promise<Ending> {
  return withStore(flags, async context => {
    const oauth = findOAuth(name, context)
    if (oauth === undefined) throw new HintgateError('server_sign_in_failed', { server: name, why: WITHOUT })
    const url = await oauth.begin()
    if (flags.json) return { out: `${JSON.stringify({ server: name, url })}\n` }
    const text = 'While the gateway is running, open this address in a browser within ten minutes:'
    return { out: `${text}\n\n  ${url}\n` }
  })
}

export function logout(name: string, flags: CommonFlags): Promise<Ending> {
  return withStore(flags, async context => {
    const oauth = findOAuth(name, context)
    const wasThere = (await oauth?.forget()) ?? false
    if (flags.json) return { out: `${JSON.stringify({ server: name, forgotten: wasThere })}\n` }
    const none = `No credentials are stored for ${name}${oauth === undefined ? `: ${WITHOUT}` : ''}.\n`
    return { out: wasThere ? `Deleted the credentials for ${name}.\n` : none }
  })
}

/** Returns the gateway's OAuth client for a server. Undefined if the server does not use OAuth. */
function findOAuth(name: string, { config, store, home }: Context): UpstreamOAuth | undefined {
  const server = config.servers.find(known => known.name === name)
  if (server === undefined) throw new HintgateError('unknown_server', { server: name })
  return createUpstreamOAuth(server, { config, secrets: store.secrets, key: loadSecretKey(home) })
}
