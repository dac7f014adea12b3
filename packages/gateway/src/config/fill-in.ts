import type { Node } from 'jsonc-parser'
import type { Complaint, Path } from '../base/errors/problem.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import type { GuardrailSource } from '../policy/guardrails/guardrail.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { Config, ServerConfig } from './config.ts'
import { partsOf } from './read-document.ts'
import { resolvePath } from './resolve-path.ts'

interface FillContext {
  readonly env: NodeJS.ProcessEnv
  /** The folder that paths in `${file:…}` start from. */
  readonly folder: string
  readonly homeDir: string
  /**
   * Returns true for paths to skip. A command that needs only the store must not require the secrets of all servers.
   */
  readonly skip?: ((path: Path) => boolean) | undefined
}

/** A string that contains references. */
interface FilledText {
  readonly path: Path
  readonly written: string
  /** The values of the references in the string, except well-known variables such as `HOME`. */
  readonly confided: readonly string[]
}

interface Filled {
  readonly value: unknown
  readonly filled: readonly FilledText[]
  readonly complaints: readonly Complaint[]
  /** Paths with a missing value. No other problem is reported for them. */
  readonly unfilled: ReadonlySet<string>
}

type Collector = FillContext & {
  readonly filled: FilledText[]
  readonly complaints: Complaint[]
  readonly unfilled: Set<string>
}

/** Returns a document's value, with `${env:NAME}` and `${file:PATH}` replaced by their values in every string. */
export function fillIn(root: Node, context: FillContext): Filled {
  const collector: Collector = { ...context, filled: [], complaints: [], unfilled: new Set() }
  const value = readNode(root, [], collector)
  const { filled, complaints, unfilled } = collector
  return { value, filled, complaints, unfilled }
}

function readNode(node: Node, path: Path, collector: Collector): unknown {
  if (node.type === 'object') return readObject(node, path, collector)
  if (node.type === 'array')
    return node.children?.map((item, index) => readNode(item, [...path, index], collector)) ?? []
  return node.type === 'string' ? fillText(String(node.value), path, collector) : node.value
}

function readObject(node: Node, path: Path, collector: Collector): Record<string, unknown> {
  const entries = new Map<string, unknown>()
  for (const property of node.children ?? []) {
    const parts = partsOf(property)
    if (parts === undefined) continue
    const here = [...path, parts.name]
    if (collector.skip?.(here)) continue
    const refused = refuseKey(parts.name, entries)
    if (refused === undefined) entries.set(parts.name, readNode(parts.value, here, collector))
    else collector.complaints.push({ path: here, offset: parts.key.offset, ...refused })
  }
  return Object.fromEntries(entries)
}

function refuseKey(name: string, entries: ReadonlyMap<string, unknown>) {
  // This key is refused, because assigning to it would change the prototype.
  if (name === '__proto__') return { message: 'this key is not allowed', fix: 'remove it' }
  return entries.has(name) ? { message: 'this key is a duplicate', fix: 'keep one of them' } : undefined
}

const REFERENCE = /\$\{(env|file):([^}]*)\}/g
/** Matches well-known variables. Their values are not removed from a server's output, because they are too common. */
const WELL_KNOWN =
  /^(?:HOME|USER|USERNAME|USERPROFILE|LOGNAME|HOSTNAME|PWD|PATH|SHELL|LANG|TZ|TMPDIR|TEMP|TMP)$/

function fillText(text: string, path: Path, collector: Collector): string {
  const confided: string[] = []
  const whole = text.replaceAll(REFERENCE, (reference, kind: string, name: string) => {
    const value = kind === 'env' ? readVariable(name, collector) : readSecretFile(name, collector)
    if (typeof value === 'string') {
      if (kind === 'file' || !WELL_KNOWN.test(name)) confided.push(value)
      return value
    }
    collector.complaints.push({ path, ...value })
    collector.unfilled.add(JSON.stringify(path))
    return reference
  })
  if (whole !== text) collector.filled.push({ path, written: text, confided })
  return whole
}

type Unfilled = { readonly message: string; readonly fix: string }

function readVariable(name: string, { env }: Collector): string | Unfilled {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  return value ?? { message: `the environment variable ${name} is not set`, fix: `set ${name} and restart` }
}

/** Maximum number of bytes in a secret file. Keys and certificates have a few thousand. */
const LONGEST_SECRET = 1024 * 1024

function readSecretFile(name: string, { folder, homeDir }: Collector): string | Unfilled {
  const file = resolvePath(name, { folder, homeDir })
  try {
    // The final newline that editors and `echo` add is not part of the secret.
    return readRegularFile(file, LONGEST_SECRET)
      .toString()
      .replace(/\r?\n$/, '')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return {
      message: `the file ${file} cannot be read (${why})`,
      fix: 'create the file, or correct the path',
    }
  }
}

/** Records the references in the config, so that rules can be shown as written and secrets removed from servers' output. */
export function noteFilled(config: Config, filled: readonly FilledText[]): Config {
  if (filled.length === 0) return config
  const confided = collectConfided(filled, 'mcpServers')
  const inSets = collectConfided(filled, 'toolsets')
  const written = new Map(filled.map(({ path, written: text }) => [JSON.stringify(path), text]))
  return {
    ...config,
    servers: config.servers.map(server => noteConfided(server, confided.get(server.name) ?? [])),
    toolsets: config.toolsets.map(set => {
      const own = inSets.get(set.name)
      return own === undefined ? set : { ...set, confided: own }
    }),
    guardrails: config.guardrails.map(source => noteWritten(source, written)),
  }
}

function collectConfided(
  filled: readonly FilledText[],
  of: 'mcpServers' | 'toolsets',
): ReadonlyMap<unknown, readonly string[]> {
  const found = new Map<unknown, string[]>()
  for (const { path, confided } of filled) {
    const [section, name] = path
    if (section !== of) continue
    found.set(name, found.get(name) ?? [])
    found.get(name)?.push(...confided)
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
