/**
 * An object from the wire. The functions below read only the object's own properties, so `__proto__` and `constructor`
 * are ordinary keys, and a manipulated prototype has no effect.
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
