export type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {}
}

export function asRecords(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Thrown for a part of a document from which no tool can be created. */
export class UnusableOperation extends Error {}

const MAX_HOPS = 20

/** Follows references within the document until it reaches an object. Anything else counts as an empty object. */
export function follow(document: Json, value: unknown): Json {
  let found = value
  for (let hops = 0; isRecord(found) && typeof found.$ref === 'string'; hops++) {
    if (hops > MAX_HOPS) throw new UnusableOperation(`${found.$ref} is a circular reference.`)
    found = lookUp(document, found.$ref)
  }
  return asRecord(found)
}

function lookUp(document: Json, ref: string): unknown {
  if (!ref.startsWith('#/'))
    throw new UnusableOperation(`${ref} points outside the document; bundle the document first.`)
  const keys = ref.slice(2).split('/').map(decodePointer)
  const found = keys.reduce<unknown>(
    (at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    document,
  )
  if (found === undefined) throw new UnusableOperation(`${ref} does not exist in the document.`)
  return found
}

function decodePointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}
