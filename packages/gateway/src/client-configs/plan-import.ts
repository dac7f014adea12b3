import { NAME_PATTERN } from '../config/schema/schema.ts'
import { serverSchema } from '../config/schema/server-schema.ts'
import { REFERENCES } from '../detect/secrets/mask-words.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Client, ClientFile } from './clients.ts'
import type { FoundEntry } from './document.ts'
import { type ReadServer, type ReferenceContext, readServer } from './read-server.ts'
import { type Secret, type TranslateContext, translateServer } from './translate-server.ts'

export interface Source {
  readonly client: Client
  readonly file: ClientFile
  readonly entries: readonly FoundEntry[]
}

interface Imported {
  readonly name: string
  readonly client: string
  readonly file: string
  readonly original: string
  readonly server: Json
  readonly secrets: readonly Secret[]
  readonly variables: readonly string[]
  /** The entry's keys that Hintgate does not support. */
  readonly left: readonly string[]
}

interface Skipped {
  readonly client: string
  readonly file: string
  readonly name: string
  readonly why: string
  /** True if the gateway already has this server. The client then no longer needs its own entry. */
  readonly isThere: boolean
}

export interface ImportPlan {
  readonly servers: readonly Imported[]
  readonly skipped: readonly Skipped[]
}

interface ImportContext extends Omit<TranslateContext, 'name'> {
  readonly homeDir: string
  readonly project: string
  /** The value of `mcpServers` in Hintgate's config, as written. */
  readonly existing: Json
  /** Returns the value of a `${file:…}` reference in Hintgate's config. */
  readonly secretAt: (reference: string) => string | undefined
  readonly isGateway: (entry: Json) => boolean
}

/** Decides which of the servers in the clients' files to import, and why the others are skipped. Writes nothing. */
export function planImport(sources: readonly Source[], context: ImportContext): ImportPlan {
  const servers: Imported[] = []
  const skipped: Skipped[] = []
  const taken: Record<string, unknown> = { ...context.existing }
  const kept = new Map<string, string>()
  const secretAt = (reference: string) => kept.get(reference) ?? context.secretAt(reference)
  for (const source of sources)
    for (const found of source.entries) {
      const planned = planOne(source, found, taken, { ...context, secretAt })
      if ('why' in planned) skipped.push(planned)
      else {
        servers.push(planned)
        taken[planned.name] = planned.server
        for (const { reference, value } of planned.secrets) kept.set(reference, value)
      }
    }
  return { servers, skipped }
}

function planOne(
  { client, file }: Source,
  { name: original, entry }: FoundEntry,
  taken: Json,
  context: ImportContext,
): Imported | Skipped {
  const from = { client: client.id, file: file.path }
  const skip = (why: string, isThere = false): Skipped => ({ ...from, name: original, why, isThere })
  if (!isJsonObject(entry)) return skip('its entry is not an object')
  if (context.isGateway(entry)) return skip('it is this gateway')
  const references: ReferenceContext = {
    homeDir: context.homeDir,
    project: file.scope === 'user' ? undefined : context.project,
  }
  const read = readServer(entry, client, references)
  if (read === undefined) return skip('it has neither a command nor a URL')
  const name = chooseName(original, client.id, taken)
  const { server, secrets, variables, missing } = translateServer(setProjectFolder(read, references), {
    ...context,
    name,
  })
  if (missing.length > 0) return skip(`it needs ${missing.join(' and ')}`)
  const ownSecret = (reference: string) => secrets.find(secret => secret.reference === reference)?.value
  const fault = findFault(server, reference => ownSecret(reference) ?? variableAt(reference, context.env))
  if (fault !== undefined) return skip(`its entry would be invalid in the config: ${fault}`)
  const identity = identify(server, ownSecret)
  const duplicate = Object.entries(taken).find(
    ([, known]) => identify(known, context.secretAt) === identity,
  )?.[0]
  if (duplicate !== undefined) return skip(`it is already imported as ${duplicate}`, true)
  return { ...from, name, original, server, secrets, variables, left: read.left }
}

/** Sets a program's working folder to the project's folder, if the server comes from a project's file. */
function setProjectFolder(read: ReadServer, { project }: ReferenceContext): ReadServer {
  if (read.command === undefined || read.cwd !== undefined || project === undefined) return read
  return { ...read, cwd: [{ kind: 'text', text: project }] }
}

/**
 * Finds the first problem of a server with its references filled in. A server with a problem is not imported, because
 * it would make the whole config invalid.
 */
function findFault(server: Json, valueFor: (reference: string) => string | undefined): string | undefined {
  const hasOddKey = [server.env, server.headers].some(
    held => isJsonObject(held) && Object.hasOwn(held, PROTO),
  )
  if (hasOddKey) return `${PROTO}: not a valid key`
  const filled = JSON.stringify(server, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(REFERENCES, one => valueFor(one) ?? one) : value,
  )
  const [issue] = serverSchema.safeParse(JSON.parse(filled)).error?.issues ?? []
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

const PROTO = '__proto__'

function variableAt(reference: string, env: NodeJS.ProcessEnv): string | undefined {
  return env[/^\$\{env:(.*)\}$/s.exec(reference)?.[1] ?? '']
}

const REFERENCE = /\$\{file:[^}]*\}/g

/**
 * Identifies a server by its content with secrets filled in, so that two accounts with the same service count as
 * different servers.
 */
function identify(server: unknown, secretAt: ImportContext['secretAt']): string {
  if (!isJsonObject(server)) return ''
  const { command, args = [], url = server.serverUrl ?? server.httpUrl, env = {}, headers = {} } = server
  return JSON.stringify([command, args, url, env, headers], (_, value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll(REFERENCE, reference => secretAt(reference) ?? reference)
      : value,
  )
}

const NAME = new RegExp(NAME_PATTERN)
const MAX = 64

/**
 * Chooses a server's name in Hintgate's config. It is the original name, made valid, with the client's name as a suffix
 * if the name is taken.
 *
 * @example
 * chooseName('my files', 'cursor', { 'my-files': {} }) // => 'my-files-cursor'
 */
function chooseName(original: string, client: string, taken: Json): string {
  const base = toName(original)
  const isFree = (name: string) =>
    !Object.keys(taken).some(known => known.toLowerCase() === name.toLowerCase())
  if (isFree(base)) return base
  const suffixes = [`-${client}`, ...Array.from({ length: 1000 }, (_, index) => `-${client}-${index + 2}`)]
  const names = suffixes.map(suffix => base.slice(0, MAX - suffix.length) + suffix)
  return names.find(isFree) ?? base
}

/**
 * Turns any text into a valid server name. The name has no two adjacent underscores, because those separate server and
 * tool.
 */
function toName(original: string): string {
  const name = original
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/_{2,}/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX)
  return NAME.test(name) ? name : 'server'
}
