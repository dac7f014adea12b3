import type { StandardSchemaV1 } from '@standard-schema/spec'
import * as z from 'zod'
import type { $ZodType } from 'zod/v4/core'
import type { CheckedInput, Verdict } from './checked-input.ts'
import type { Input, Shape } from './input.ts'
import { readIssues } from './issues.ts'

type Json = Readonly<Record<string, unknown>>
type Direction = 'input' | 'output'

/** Thrown if an author's schema cannot be sent as JSON Schema, or does not describe named arguments. */
export class UnusableSchema extends Error {}

/** Reads an author's schema. A shape rejects unknown arguments, because a misspelt `dry_run` must not be ignored. */
export function readInput(input: Input, direction: Direction = 'input'): CheckedInput {
  const schema = isStandard(input) ? input : shapeToSchema(input)
  const jsonSchema = toObjectSchema(toJsonSchema(schema, direction))
  const known = Object.keys(isObject(jsonSchema.properties) ? jsonSchema.properties : {})
  const judge = (result: StandardSchemaV1.Result<unknown>): Verdict =>
    result.issues ? { issues: readIssues(result.issues, known) } : { value: result.value }
  return {
    jsonSchema,
    check: value => {
      const result = schema['~standard'].validate(value)
      return result instanceof Promise ? result.then(judge) : judge(result)
    },
  }
}

function isStandard(input: Input): input is StandardSchemaV1 {
  return '~standard' in input && isObject(input['~standard'])
}

function shapeToSchema(shape: Shape): StandardSchemaV1 & $ZodType {
  // A tool without arguments ignores any that are sent, because some models send arguments anyway.
  if (Object.keys(shape).length === 0) return z.object({})
  if (!Object.values(shape).every(isZod))
    throw new UnusableSchema('The fields of a shape must be zod 4 or zod/mini schemas.')
  return z.strictObject(shape)
}

function toJsonSchema(schema: StandardSchemaV1, direction: Direction): Json {
  try {
    if (isZod(schema)) return withoutDialect(z.toJSONSchema(schema, { io: direction }))
    const standard: object = schema['~standard']
    if ('jsonSchema' in standard && isConverter(standard.jsonSchema))
      return standard.jsonSchema[direction]({ target: 'draft-2020-12' })
  } catch (error) {
    throw new UnusableSchema(error instanceof Error ? error.message : String(error))
  }
  const { vendor } = schema['~standard']
  throw new UnusableSchema(`${vendor} does not provide JSON Schema (Standard JSON Schema) for this schema.`)
}

/** Removes `$schema`, which zod always adds. It only repeats MCP's default dialect, and costs tokens. */
function withoutDialect({ $schema: _, ...schema }: Json): Json {
  return schema
}

function toObjectSchema(schema: Json): Json {
  if (schema.type !== undefined && schema.type !== 'object')
    throw new UnusableSchema(
      `The schema must describe an object with named arguments, not ${JSON.stringify(schema.type)}.`,
    )
  return { type: 'object', ...schema }
}

function isZod(value: unknown): value is $ZodType {
  return isObject(value) && '_zod' in value
}

interface Converter {
  input(options: { target: string }): Json
  output(options: { target: string }): Json
}

function isConverter(value: unknown): value is Converter {
  return isObject(value) && typeof value.input === 'function' && typeof value.output === 'function'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
