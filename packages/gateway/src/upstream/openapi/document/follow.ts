import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { UnusablePart } from './document-error.ts'

const MOST_HOPS = 20

export function asObject(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}

export function asObjects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Returns a text without the blanks around it; undefined if nothing is left. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Follows references until it reaches something else. Anything but an object counts as an empty object. */
export function follow(root: Json, value: unknown): Json {
  let found = value
  for (let hops = 0; isJsonObject(found) && typeof found.$ref === 'string'; hops++) {
    if (hops >= MOST_HOPS) throw new UnusablePart(`the reference ${found.$ref} leads back to itself`)
    found = lookUp(root, found.$ref)
  }
  return asObject(found)
}

/** Returns the value that a reference within the document names. */
export function lookUp(root: Json, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/'))
    throw new UnusablePart(`the reference ${reference} leads out of the document`)
  const steps = reference.slice(2).split('/').map(decode)
  let at: unknown = root
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step))
      throw new UnusablePart(`the reference ${reference} names nothing in the document`)
    at = (at as Json)[step]
  }
  return at
}

function decode(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
