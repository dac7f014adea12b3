import { isDeepStrictEqual } from 'node:util'

/** Copies a state into plain values that can be compared and that do not change when the state does. */
export function freeze(value: unknown): unknown {
  if (value instanceof Map) return freezeEntries(value)
  if (value instanceof Set) return [...value].map(freeze)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(freeze)
  return isRecord(value) ? freezeEntries(Object.entries(value)) : value
}

function freezeEntries(entries: Iterable<[unknown, unknown]>): object {
  return Object.fromEntries([...entries].map(([key, value]) => [String(key), freeze(value)]))
}

/** Returns the paths at which two states differ; empty if they are equal. */
export function findChanges(before: unknown, after: unknown, path = ''): string[] {
  if (isDeepStrictEqual(before, after)) return []
  const [a, b] = [toFields(before), toFields(after)]
  if (a === undefined || b === undefined) return [shown(path)]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return keys.flatMap(key => findChanges(a[key], b[key], join(path, key)))
}

/** Returns the paths at which something was lost: an entry, an element, or a value that became null. */
export function findLosses(before: unknown, after: unknown, path = ''): string[] {
  if (isNothing(before) || isDeepStrictEqual(before, after)) return []
  if (isNothing(after)) return [shown(path)]
  const [a, b] = [toFields(before), toFields(after)]
  // A value that changed was updated. If a structure became a scalar, its content was lost.
  if (a === undefined) return []
  if (b === undefined) return [shown(path)]
  return Object.keys(a).flatMap(key => findLosses(a[key], b[key], join(path, key)))
}

/** Common names of fields that identify an element. */
const IDENTITIES = ['id', 'key', 'uri', 'name']

/**
 * Returns a value's fields, or undefined for a scalar. Elements of a list are named by a field that identifies them, if
 * they all have one, and otherwise by position.
 */
function toFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (Array.isArray(value)) return Object.fromEntries(nameElements(value))
  return isRecord(value) ? value : undefined
}

function nameElements(list: readonly unknown[]): [string, unknown][] {
  const identity = IDENTITIES.find(name => list.every(item => isRecord(item) && isScalar(item[name])))
  if (identity === undefined || list.length === 0) return list.map((item, at) => [String(at), item])
  return list.map(item => [String(isRecord(item) ? item[identity] : ''), item])
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function shown(path: string): string {
  return path === '' ? '(everything)' : path
}
