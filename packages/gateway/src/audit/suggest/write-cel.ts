import { isJsonObject } from '../../protocol/messages.ts'

export type Scalar = string | number | boolean | null

/** Returns the values of an argument that is a value or a list of values; undefined if it contains anything else. */
export function leafValues(value: unknown): readonly Scalar[] | undefined {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.every(isScalar) ? all : undefined
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'boolean', 'number'].includes(typeof value)
}

/**
 * Writes a JSON value as a CEL literal. The value comes from an agent, so nothing of it may be read as code.
 *
 * @example
 * writeCel(['a"b', 1, 2.5]) // => '["a\\"b", 1, 2.5]'
 */
export function writeCel(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeCel).join(', ')}]`
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .map(([key, each]) => `${quote(key)}: ${writeCel(each)}`)
      .join(', ')}}`
  return typeof value === 'string' ? quote(value) : String(value)
}

/** JSON and CEL agree on these escapes. */
function quote(text: string): string {
  return JSON.stringify(text)
}
