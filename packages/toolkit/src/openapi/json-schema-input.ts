import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Json } from './document.ts'

type Arguments = Readonly<Record<string, unknown>>
type Schema = StandardSchemaV1<Arguments> & StandardJSONSchemaV1<Arguments>

/** Keywords whose error only says again that a nested value is invalid. */
const ECHOES = new Set([
  'properties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'additionalProperties',
  'then',
])

/** Converts a JSON Schema to a Standard Schema. */
export function fromJson(schema: Json): Schema {
  const validator = new Validator({ ...schema }, '2020-12', false)
  return {
    '~standard': {
      version: 1,
      vendor: 'json-schema',
      validate: value => {
        const { valid, errors } = validator.validate(value)
        return valid ? { value: value as Arguments } : { issues: readErrors(errors) }
      },
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  }
}

function readErrors(errors: readonly OutputUnit[]): StandardSchemaV1.Issue[] {
  const told = errors.filter(({ keyword }) => !ECHOES.has(keyword))
  return (told.length === 0 ? errors : told).map(({ keyword, instanceLocation, error }) => {
    const path = toPath(instanceLocation)
    const [, missing] = keyword === 'required' ? (/property "(.*)"/.exec(error) ?? []) : []
    if (missing !== undefined) return { path: [...path, missing], message: 'required' }
    if (keyword === 'false') return { path, message: 'unknown argument' }
    return { path, message: error }
  })
}

function toPath(pointer: string): (string | number)[] {
  const keys = pointer.split('/').slice(1)
  return keys.map(key => {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    return /^\d+$/.test(name) ? Number(name) : name
  })
}
