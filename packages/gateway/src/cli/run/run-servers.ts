import { rmSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { maskEntry, showWay } from '../../admin/config/mask-entry.ts'
import { HintgateError } from '../../base/errors.ts'
import {
  type OwnConfig,
  openOwnConfig,
  secretFilesOf,
  secretPlace,
  serversOf,
  writeOwnConfig,
} from '../../client-configs/own-config.ts'
import { currentPlace } from '../../client-configs/place.ts'
import type { Piece, ReadServer } from '../../client-configs/read-server.ts'
import { translateServer } from '../../client-configs/translate-server.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import type { Api } from '../../upstream/openapi/load-api.ts'
import type { EntryFlags } from '../registry/run-registry.ts'
import { revealLine } from '../show/review-text.ts'
import { showJson, showTable } from '../show/show-json.ts'
import { type CommonFlags, invalidFlag } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'

export async function addServer(
  name: string | undefined,
  command: readonly string[],
  flags: AddFlags,
): Promise<Ending> {
  const { fromRegistry } = flags
  if (fromRegistry !== undefined) {
    if (command.length > 0 || flags.url !== undefined || flags.openapi !== undefined)
      throw invalidFlag(
        '--from-registry',
        'the registry says how to reach the server; omit --url, --openapi and the program',
      )
    const { addFromRegistry } = await import('../registry/run-registry.ts')
    return addFromRegistry(fromRegistry, name, flags)
  }
  if (name === undefined) throw invalidFlag('NAME', 'give the server a name')
  return addGiven(name, command, flags)
}

async function addGiven(name: string, command: readonly string[], flags: AddFlags): Promise<Ending> {
  const place = currentPlace()
  const own = openOwnConfig(flags, place)
  if (Object.hasOwn(serversOf(own), name)) throw new HintgateError('server_exists', { server: name })
  const { read, trust } = readAdded(command, flags, dirname(own.path))
  const { server, secrets } = translateServer(read, {
    name: name.replaceAll(/[^\w.-]+/g, '-'),
    env: place.env,
    secretFile: secretPlace(own.home, place),
  })
  const api = flags.openapi === undefined ? undefined : await readApi(flags.openapi, flags.url)
  const entry = {
    ...(flags.openapi !== undefined && { openapi: placeOf(flags.openapi, dirname(own.path)) }),
    ...server,
    trust,
    ...(flags.type !== undefined && { type: flags.type }),
  }
  writeOwnConfig(own, [{ path: ['mcpServers', name], value: entry }], secrets)
  return tell(flags, { name, config: own.path, server: entry }, [
    `Added ${name} to ${own.path}.`,
    ...(api === undefined ? [] : [tellApi(api)]),
    trust === 'trusted'
      ? 'Its first tools are approved automatically.'
      : 'Its tools wait for review: hintgate tools review',
    `Test it: hintgate servers test ${name}`,
  ])
}

export async function listServers(flags: CommonFlags): Promise<Ending> {
  const servers = Object.entries(serversOf(openOwnConfig(flags))).map(([name, entry]) =>
    describe(name, entry),
  )
  if (flags.json) return { out: showJson(servers) }
  if (servers.length === 0) return { out: NO_SERVERS }
  const rows = servers.map(({ name, enabled, trust, reached }) => [
    revealLine(name, 64),
    enabled ? 'on' : 'off',
    trust,
    revealLine(reached, 100),
  ])
  return { out: showTable([['NAME', 'STATE', 'TRUST', 'REACHED BY'], ...rows]) }
}

export async function showServer(name: string, flags: CommonFlags): Promise<Ending> {
  const entry = find(openOwnConfig(flags), name)
  const shown = { ...describe(name, entry), server: maskEntry(entry) }
  const text = `${name}, ${shown.enabled ? 'on' : 'off'}, ${shown.trust}\n${showJson(shown.server)}`
  return { out: flags.json ? showJson(shown) : text }
}

export async function removeServer(name: string, flags: CommonFlags): Promise<Ending> {
  const place = currentPlace()
  const own = openOwnConfig(flags, place)
  const files = secretFilesOf(find(own, name), own, place)
  writeOwnConfig(own, [{ path: ['mcpServers', name], value: undefined }])
  const others = new Set(secretFilesOf(openOwnConfig(flags, place).value, own, place))
  for (const file of files) if (!others.has(file)) rmSync(file, { force: true })
  return tell(flags, { name, config: own.path, removed: true }, [`Removed ${name} from ${own.path}.`])
}

export async function trustServer(
  name: string,
  flags: CommonFlags & { readonly reviewed?: boolean },
): Promise<Ending> {
  const own = openOwnConfig(flags)
  find(own, name)
  const trust = flags.reviewed ? 'reviewed' : 'trusted'
  writeOwnConfig(own, [{ path: ['mcpServers', name, 'trust'], value: trust }])
  const meaning =
    trust === 'trusted'
      ? "the server's first tools are approved automatically; later changes wait for review"
      : 'new and changed tools wait for review'
  return tell(flags, { name, trust }, [`${name} is ${trust}: ${meaning}.`])
}

/** Reads a document before it is added, so that a mistake in it shows at once. */
async function readApi(file: string, url: string | undefined): Promise<Api> {
  const { loadApi } = await import('../../upstream/openapi/load-api.ts')
  const usual = { headers: {}, auth: undefined, include: [], exclude: [] }
  try {
    // A reference to a variable is not an address yet.
    const address = url !== undefined && URL.canParse(url) ? url : 'http://localhost'
    return await loadApi({
      kind: 'openapi',
      file: resolve(file),
      url: url === undefined ? undefined : address,
      ...usual,
    })
  } catch (error) {
    throw invalidFlag('--openapi', (error as Error).message)
  }
}

/** Returns the path to write into the config: relative to its folder if the document is in there. */
function placeOf(file: string, folder: string): string {
  const place = relative(resolve(folder), resolve(file))
  return place.startsWith('..') || isAbsolute(place) ? resolve(file) : place
}

function tellApi({ operations, leftOut }: Api): string {
  const rest = leftOut.length === 0 ? '' : `; ${leftOut.length} operations are left out`
  return `${operations.size} operations are tools${rest}.`
}

function find(own: OwnConfig, name: string): unknown {
  const servers = serversOf(own)
  if (!Object.hasOwn(servers, name)) throw new HintgateError('unknown_server', { server: name })
  return servers[name]
}

function describe(name: string, entry: unknown) {
  const server: Json = isJsonObject(entry) ? entry : {}
  return {
    name,
    enabled: server.disabled !== true && server.enabled !== false,
    trust: server.trust === 'trusted' ? 'trusted' : 'reviewed',
    reached: showWay(server) ?? '',
  }
}

function tell({ json }: CommonFlags, report: Json, lines: readonly string[]): Ending {
  return { out: json ? showJson(report) : `${lines.join('\n')}\n` }
}

export const NO_SERVERS =
  'No servers yet. Import them with hintgate import, or add one with hintgate servers add.\n'

interface AddFlags extends EntryFlags {
  readonly openapi?: string
  readonly fromRegistry?: string
  readonly url?: string
  readonly type?: string
  readonly header?: readonly string[]
  readonly env?: readonly string[]
  readonly cwd?: string
  readonly trust?: string
}

function readAdded(
  command: readonly string[],
  flags: AddFlags,
  folder: string,
): { readonly read: ReadServer; readonly trust: 'reviewed' | 'trusted' } {
  const [program, ...args] = command
  const { url, header = [], env = [] } = flags
  // The path is made absolute, because `.` means the current folder to the user, but a server runs in the config's
  // folder.
  const cwd = resolve(flags.cwd ?? '.')
  const isApi = flags.openapi !== undefined
  if (isApi && program !== undefined)
    throw invalidFlag('--openapi', 'use either --openapi with a file, or -- followed by a program')
  if (!isApi && (program === undefined) === (url === undefined))
    throw invalidFlag('--url', 'use either --url with a URL, or -- followed by a program')
  const rest = { isSse: flags.type === 'sse', isDisabled: false, left: [] }
  const read =
    program === undefined
      ? { ...(url !== undefined && { url: piecesOf(url) }), headers: pairs('--header', header, ':'), ...rest }
      : {
          command: piecesOf(program),
          args: args.map(piecesOf),
          env: pairs('--env', env, '='),
          ...(cwd !== resolve(folder) && { cwd: piecesOf(cwd) }),
          ...rest,
        }
  return { read, trust: readTrust(flags.trust) }
}

function readTrust(given = 'reviewed'): 'reviewed' | 'trusted' {
  if (given === 'reviewed' || given === 'trusted') return given
  throw invalidFlag('--trust', 'expected reviewed or trusted')
}

function pairs(flag: string, given: readonly string[], sign: ':' | '='): Record<string, readonly Piece[]> {
  const entries = given.map((text): [string, readonly Piece[]] => {
    const at = text.indexOf(sign)
    const name = text.slice(0, at).trim()
    if (at < 1 || name === '')
      throw invalidFlag(flag, sign === ':' ? "expected 'Name: value'" : 'expected NAME=value')
    const value = text.slice(at + 1)
    return [name, piecesOf(sign === ':' ? value.trim() : value)]
  })
  return Object.fromEntries(entries)
}

/** Matches references in a command line. They stay references and are not stored as secrets. */
const OURS = /(\$\{(?:env|file):[^}]*\})/

function piecesOf(text: string): readonly Piece[] {
  return text
    .split(OURS)
    .filter(part => part !== '')
    .map(part => (OURS.test(part) ? { kind: 'ours', text: part } : { kind: 'text', text: part }))
}
