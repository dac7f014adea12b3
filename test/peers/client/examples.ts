// A value that fits a simple JSON Schema: required properties only, so that defaults are left to the SDK.
interface Schema {
  type?: unknown
  enum?: unknown[]
  default?: unknown
  properties?: Record<string, unknown>
  required?: string[]
}

export function example(schema: unknown): unknown {
  const { type, enum: values, default: fallback, properties = {}, required = [] } = (schema ?? {}) as Schema
  if (fallback !== undefined) return fallback
  if (values !== undefined) return values[0]
  if (type === 'integer' || type === 'number') return 5
  if (type === 'boolean') return true
  if (type === 'array') return []
  if (type === 'object') return Object.fromEntries(required.map(key => [key, example(properties[key])]))
  return 'example'
}
