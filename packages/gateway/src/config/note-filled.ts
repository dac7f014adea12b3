import type { Path } from '../base/errors/problem.ts'
import type { GuardrailSource } from '../policy/guardrails/guardrail.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { Config, ServerConfig } from './config.ts'
import type { FilledText } from './fill-in.ts'

/**
 * Notes what of a config is filled in: rules are shown as they are written, and what a server was given in confidence is
 * taken out of what it says.
 */
export function noteFilled(config: Config, filled: readonly FilledText[]): Config {
  if (filled.length === 0) return config
  const confided = collectConfided(filled)
  const written = new Map(filled.map(({ path, written: text }) => [JSON.stringify(path), text]))
  return {
    ...config,
    servers: config.servers.map(server => noteConfided(server, confided.get(server.name) ?? [])),
    guardrails: config.guardrails.map(source => noteWritten(source, written)),
  }
}

function collectConfided(filled: readonly FilledText[]): ReadonlyMap<unknown, readonly string[]> {
  const found = new Map<unknown, string[]>()
  for (const { path, confided } of filled) {
    const [section, server] = path
    if (section !== 'mcpServers') continue
    found.set(server, found.get(server) ?? [])
    found.get(server)?.push(...confided)
  }
  return found
}

function noteConfided(server: ServerConfig, confided: readonly string[]): ServerConfig {
  return confided.length === 0 ? server : { ...server, transport: { ...server.transport, confided } }
}

function noteWritten(source: GuardrailSource, written: ReadonlyMap<string, string>): GuardrailSource {
  const restored = source.rules.map((rule, index) => restore(rule, [...source.path, index], written))
  return JSON.stringify(restored) === JSON.stringify(source.rules) ? source : { ...source, written: restored }
}

function restore(value: unknown, path: Path, written: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return written.get(JSON.stringify(path)) ?? value
  if (Array.isArray(value)) return value.map((part, index) => restore(part, [...path, index], written))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, restore(part, [...path, key], written)]),
  )
}
