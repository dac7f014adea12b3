import { HintgateError } from '../base/errors.ts'
import type { Client, ClientScope } from './client.ts'
import { guard, readClientText } from './client-text.ts'
import { listEntries } from './document.ts'
import type { Place } from './place.ts'
import type { Source } from './plan-import.ts'

export interface Sources {
  readonly found: readonly Source[]
  /** Files that are there and cannot be used. */
  readonly problems: readonly HintgateError[]
}

/** The files of clients that name servers. One that cannot be read does not keep us from the others. */
export function findSources(
  clients: readonly Client[],
  place: Place,
  scopes: readonly ClientScope[],
): Sources {
  const found: Source[] = []
  const problems: HintgateError[] = []
  for (const client of clients)
    for (const file of client.files(place)) {
      if (!scopes.includes(file.scope)) continue
      try {
        const { path, text } = readClientText(client, file)
        const block = { path: file.block, shape: client.shape }
        const entries = guard(path, () => listEntries(client, text, block))
        if (entries.length > 0) found.push({ client, file, entries })
      } catch (error) {
        if (!(error instanceof HintgateError)) throw error
        if (!problems.some(({ message }) => message === error.message)) problems.push(error)
      }
    }
  return { found, problems }
}
