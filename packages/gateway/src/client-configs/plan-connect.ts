import type { Client, ClientFile, Way } from './client.ts'
import { addEntry, listEntries, readValue, removeEntry } from './document.ts'
import type { Change } from './show-change.ts'

export interface Connecting {
  readonly client: Client
  readonly file: ClientFile
  /** What the gateway is called in the client's config. */
  readonly name: string
  /** Servers that go behind the gateway. */
  readonly replaced: readonly string[]
}

const blockOf = ({ client, file }: Pick<Connecting, 'client' | 'file'>) => ({
  path: file.block,
  shape: client.shape,
})

/** The client's text with the gateway in it. */
export function connectText(text: string, connecting: Connecting, way: Way): string {
  const { client, name, replaced } = connecting
  const block = blockOf(connecting)
  const rest = replaced.reduce((before, gone) => removeEntry(client, before, block, gone), text)
  return addEntry(client, rest, block, { name, entry: client.describeGateway(way) })
}

/** The client's text without the gateway, and with what went behind it; for a file that changed since. */
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
