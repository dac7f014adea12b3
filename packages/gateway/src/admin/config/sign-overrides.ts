import { isJsonObject, type Json } from '../../protocol/messages.ts'

/** An entry of `toolsets` as it is written in the config. */
export type SetEntry = readonly unknown[] | Json

interface Signing {
  /** The name of the person who sends the changes. */
  readonly author: string
  /** Returns the fingerprint of a tool's approved definition, by its id. */
  readonly fingerprintOf: (id: string) => string | undefined
}

/**
 * Notes in each new or changed override who wrote it, and for which version of the tool's definition. Nobody can give
 * another person's name.
 */
export function signOverrides(
  entry: SetEntry,
  before: SetEntry | undefined,
  { author, fingerprintOf }: Signing,
): SetEntry {
  const overrides = overridesIn(entry)
  if (overrides === undefined) return entry
  const known = overridesIn(before) ?? {}
  const signed = Object.entries(overrides).map(([id, override]) => {
    const isNew = JSON.stringify(known[id]) !== JSON.stringify(override)
    if (!isNew || !isJsonObject(override)) return [id, override]
    const fingerprint = fingerprintOf(id)
    return [id, { ...override, author, ...(fingerprint === undefined ? {} : { fingerprint }) }]
  })
  return { ...entry, overrides: Object.fromEntries(signed) as Json }
}

function overridesIn(entry: SetEntry | undefined): Json | undefined {
  const found = isJsonObject(entry) ? entry.overrides : undefined
  return isJsonObject(found) ? found : undefined
}
