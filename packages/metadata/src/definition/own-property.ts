/**
 * Reading untrusted objects. Only own, enumerable properties are read, so `__proto__` or `constructor` on the
 * wire is an ordinary key, and a tampered prototype has no effect.
 */
export type UntrustedObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is UntrustedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function own(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined
}

export function ownString(object: unknown, key: string): string | undefined {
  const value = own(object, key)
  return typeof value === 'string' ? value : undefined
}
