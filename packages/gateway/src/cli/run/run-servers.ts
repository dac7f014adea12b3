import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
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
import { translateServer } from '../../client-configs/translate-server.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { layTable } from '../show/lay-table.ts'
import { revealLine } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { reportError } from '../terminal/context.ts'
import { EXIT, write } from '../terminal/output.ts'
import { type AddFlags, NO_SERVERS, readAdded, type ServerFlags, type TrustFlags } from './servers-flags.ts'

export function addServer(name: string, command: readonly string[], flags: AddFlags): Promise<void> {
  return run(async () => {
    const place = currentPlace()
    const own = openOwnConfig(flags, place)
    if (Object.hasOwn(serversOf(own), name)) throw new HintgateError('server_exists', { server: name })
    const { read, trust } = readAdded(command, flags, dirname(own.path))
    const { server, secrets } = translateServer(read, {
      name: name.replaceAll(/[^\w.-]+/g, '-'),
      env: place.env,
      secretFile: secretPlace(own.home, place),
    })
    const entry = { ...server, trust, ...(flags.type !== undefined && { type: flags.type }) }
    writeOwnConfig(own, [{ path: ['mcpServers', name], value: entry }], secrets)
    await tell(flags, { name, config: own.path, server: entry }, [
      `Added ${name} to ${own.path}.`,
      trust === 'trusted'
        ? 'Its first tools are approved by themselves.'
        : 'Its tools wait for review: hintgate tools review',
      `See whether it starts: hintgate servers test ${name}`,
    ])
  })
}

export function listServers(flags: ServerFlags): Promise<void> {
  return run(async () => {
    const servers = Object.entries(serversOf(openOwnConfig(flags))).map(([name, entry]) =>
      describe(name, entry),
    )
    if (flags.json) return write(showJson(servers))
    if (servers.length === 0) return write(NO_SERVERS)
    const rows = servers.map(({ name, enabled, trust, reached }) => [
      revealLine(name, 64),
      enabled ? 'on' : 'off',
      trust,
      revealLine(reached, 100),
    ])
    await write(`${layTable([['NAME', 'STATE', 'TRUST', 'REACHED BY'], ...rows]).join('\n')}\n`)
  })
}

export function showServer(name: string, flags: ServerFlags): Promise<void> {
  return run(async () => {
    const entry = find(openOwnConfig(flags), name)
    const shown = { ...describe(name, entry), server: maskEntry(entry) }
    if (flags.json) return write(showJson(shown))
    await write(`${name}, ${shown.enabled ? 'on' : 'off'}, ${shown.trust}\n${showJson(shown.server)}`)
  })
}

export function removeServer(name: string, flags: ServerFlags): Promise<void> {
  return run(async () => {
    const place = currentPlace()
    const own = openOwnConfig(flags, place)
    const files = secretFilesOf(find(own, name), own, place)
    writeOwnConfig(own, [{ path: ['mcpServers', name], value: undefined }])
    const others = new Set(secretFilesOf(openOwnConfig(flags, place).value, own, place))
    for (const file of files) if (!others.has(file)) rmSync(file, { force: true })
    await tell(flags, { name, config: own.path, removed: true }, [`Removed ${name} from ${own.path}.`])
  })
}

export function trustServer(name: string, flags: TrustFlags): Promise<void> {
  return run(async () => {
    const own = openOwnConfig(flags)
    find(own, name)
    const trust = flags.reviewed ? 'reviewed' : 'trusted'
    writeOwnConfig(own, [{ path: ['mcpServers', name, 'trust'], value: trust }])
    const meaning =
      trust === 'trusted'
        ? 'its first tools are approved by themselves; what it changes later still waits'
        : 'everything new or changed waits for review'
    await tell(flags, { name, trust }, [`${name} is ${trust}: ${meaning}.`])
  })
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

async function tell({ json }: ServerFlags, report: Json, lines: readonly string[]): Promise<void> {
  await write(json ? showJson(report) : `${lines.join('\n')}\n`)
}

async function run(action: () => Promise<void>): Promise<void> {
  try {
    await action()
    process.exitCode = EXIT.done
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
