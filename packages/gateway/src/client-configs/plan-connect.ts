import { structuredPatch } from 'diff'
import { MASKED } from '../audit/mask.ts'
import { isSecretVariable } from '../detect/secrets/config-secrets.ts'
import { splitSecrets, type ValueLocation } from '../detect/secrets/split-secrets.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { Client, ClientFile, GatewayTarget } from './clients.ts'
import { addEntry, listEntries, readValue, removeEntry } from './document.ts'

interface Connecting {
  readonly client: Client
  readonly file: ClientFile
  /** The gateway's name in the client's config. */
  readonly name: string
  readonly replaced: readonly string[]
}

const blockOf = ({ client, file }: Pick<Connecting, 'client' | 'file'>) => ({
  path: file.block,
  shape: client.shape,
})

export function connectText(text: string, connecting: Connecting, target: GatewayTarget): string {
  const { client, name, replaced } = connecting
  const block = blockOf(connecting)
  const rest = replaced.reduce((before, gone) => removeEntry(client, before, block, gone), text)
  return addEntry(client, rest, block, { name, entry: client.describeGateway(target) })
}

/**
 * Removes the gateway from a file that was changed after connecting, and restores the servers that the gateway
 * replaced.
 */
export function disconnectText(text: string, connecting: Connecting, before: string): string {
  const { client, name, replaced } = connecting
  const block = blockOf(connecting)
  const rest = removeEntry(client, text, block, name)
  const present = new Set(listEntries(client, rest, block).map(entry => entry.name))
  return listEntries(client, before, block)
    .filter(entry => replaced.includes(entry.name) && !present.has(entry.name))
    .reduce((after, { name: own, entry }) => {
      if (typeof entry !== 'object' || entry === null) return after
      return addEntry(client, after, block, { name: own, entry: { ...entry } })
    }, rest)
}

export function hasEntry(text: string, { client, file, name }: Omit<Connecting, 'replaced'>): boolean {
  return listEntries(client, text, blockOf({ client, file })).some(entry => entry.name === name)
}

export function changeOf(client: Client, before: string, after: string): Change {
  return {
    before: { text: before, value: readValue(client, before) },
    after: { text: after, value: readValue(client, after) },
  }
}

export interface Change {
  readonly before: { readonly text: string; readonly value: unknown }
  readonly after: { readonly text: string; readonly value: unknown }
}

interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const
const CONTEXT = 2

/** Returns the changed lines with every secret masked, because people share what their terminals show. */
export function showChange({ before, after }: Change): readonly DiffLine[] {
  const secrets = findDocumentSecrets([before.value, after.value])
  const [old, fresh] = [before, after].map(({ text }) => maskDocument(text, secrets).replaceAll('\r\n', '\n'))
  const { hunks } = structuredPatch('', '', old ?? '', fresh ?? '', '', '', { context: CONTEXT })
  return hunks.flatMap(({ lines }, index): DiffLine[] => [
    ...(index === 0 ? [] : [{ kind: 'gap' as const, text: '' }]),
    ...lines.flatMap(line => {
      const kind = KINDS[line.charAt(0) as keyof typeof KINDS]
      // Leaves out the marker `\ No newline at end of file`, which is not a line of the file.
      return kind === undefined ? [] : [{ kind, text: line.slice(1) }]
    }),
  ])
}

const HEADERS = new Set(['headers', 'http_headers'])
const ADDRESSES = new Set(['url', 'serverUrl', 'httpUrl'])
/**
 * Maximum length of secrets that are masked only as a whole string, because a secret this short could be part of any
 * word.
 */
const SHORT = 6

export function findDocumentSecrets(value: unknown): readonly string[] {
  const found = new Set<string>()
  collect(value, [], found)
  return [...found].toSorted((a, b) => b.length - a.length)
}

export function maskDocument(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => {
    const written = JSON.stringify(secret).slice(1, -1)
    if (secret.length < SHORT)
      return masked.replaceAll(`"${written}"`, `"${MASKED}"`).replaceAll(`'${secret}'`, `'${MASKED}'`)
    return masked.replaceAll(written, MASKED).replaceAll(secret, MASKED)
  }, text)
}

function collect(value: unknown, path: readonly string[], found: Set<string>): void {
  if (typeof value === 'string') return judgeParts(value, path, undefined, found)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (typeof item === 'string') judgeParts(item, path, value[index - 1], found)
      else collect(item, path, found)
  } else if (isJsonObject(value)) {
    for (const [key, held] of Object.entries(value)) collect(held, [...path, key], found)
  }
}

/** Matches a reference. It is shown, because it is not a secret. */
const REFERENCE = /\$\{(?:env|file):[^}]*\}/

function judgeParts(text: string, path: readonly string[], before: unknown, found: Set<string>): void {
  for (const part of text.split(REFERENCE)) judge(part, path, before, found)
}

function judge(text: string, path: readonly string[], before: unknown, found: Set<string>): void {
  const key = path.at(-1) ?? ''
  const standing = standingOf(path, before)
  if (standing === undefined) {
    if (isSecretVariable(key, text)) found.add(text)
    return
  }
  for (const { text: span, isSecret } of splitSecrets(text, standing))
    if (isSecret && span !== '') found.add(span)
}

function standingOf(path: readonly string[], before: unknown): ValueLocation | undefined {
  const key = path.at(-1) ?? ''
  const holder = path.at(-2) ?? ''
  if (holder === 'env') return { in: 'env', key }
  if (HEADERS.has(holder)) return { in: 'headers', key }
  if (ADDRESSES.has(key)) return { in: 'url' }
  if (key === 'args') return { in: 'args', before: typeof before === 'string' ? before : undefined }
  return undefined
}
