import { describe, expect, it } from 'vitest'
import { configJsonSchema, type SchemaNode } from './schema.ts'

function fieldsOf(node: SchemaNode, path = ''): [path: string, field: SchemaNode][] {
  const children = Object.entries(node.properties ?? {}).map(
    ([key, field]) => [`${path}.${key}`, field] as const,
  )
  if (typeof node.additionalProperties === 'object') return fieldsOf(node.additionalProperties, `${path}.*`)
  return children.flatMap(([key, field]) => [[key, field], ...fieldsOf(field, key)])
}

describe('the JSON Schema for editors', () => {
  const schema = configJsonSchema()

  it('describes every key', () => {
    const fields = fieldsOf(schema)
    expect(fields.length).toBeGreaterThan(60)
    expect(fields.filter(([, field]) => !field.description).map(([path]) => path)).toEqual([])
    expect(fields.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        '.mcpServers.*.url',
        '.agent_tokens.*.permissions',
        '.overrides.*.*.egressHint',
      ]),
    )
  })

  it('allows no unknown keys and requires none', () => {
    expect(schema).toMatchObject({ additionalProperties: false })
    expect(schema).not.toHaveProperty('required')
  })

  it('accepts references where a string must have a certain format', () => {
    for (const key of ['listen', 'store', 'drain'])
      expect(schema.properties?.[key], key).not.toHaveProperty('pattern')
  })
})
