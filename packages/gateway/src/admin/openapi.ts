import { z } from 'zod'
import { problemSchema } from './contract/common.ts'
import { OPERATIONS, type OperationName, SCHEMAS, type Schemas } from './contract/contract.ts'
import { type Operation, takesKey } from './contract/operations.ts'

type Json = Record<string, unknown>

/** The API as an OpenAPI 3.1 document, generated from the operations and schemas that requests are checked against. */
export function createOpenApi(version: string): { openapi: string } & Json {
  const paths: Record<string, Json> = {}
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const operation: Operation = OPERATIONS[name]
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(name) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hintgate admin API',
      version,
      description: 'Each role includes those before it: viewer, approver, operator, admin.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: "A person's token: hg_admin_…" },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'hintgate_session',
          description:
            'The session cookie, set at sign-in. Requests that change something also need the header X-Hintgate-Csrf: 1.',
        },
      },
      schemas: { Problem: toSchema(problemSchema) },
    },
  }
}

function describe(name: OperationName): Json {
  const operation: Operation = OPERATIONS[name]
  const { body }: Schemas = SCHEMAS[name]
  const parameters = [...parametersOf(name), ...headersOf(operation)]
  return {
    operationId: name,
    summary: operation.summary,
    'x-role': operation.role,
    ...(operation.role === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: toSchema(body) } } } }),
    responses: {
      [operation.status ?? 200]: describeAnswer(name),
      default: {
        description: 'Refused, with a stable code',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function describeAnswer(name: OperationName): Json {
  const { streams }: Operation = OPERATIONS[name]
  const { response }: Schemas = SCHEMAS[name]
  const schema = response === undefined ? { type: 'string' } : toSchema(response)
  return { description: OPERATIONS[name].summary, content: { [streams ?? 'application/json']: { schema } } }
}

function parametersOf(name: OperationName): readonly Json[] {
  const { params, query }: Schemas = SCHEMAS[name]
  return [...listParameters(params, 'path'), ...listParameters(query, 'query')]
}

function listParameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): readonly Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = toSchema(schema) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([key, property]) => ({
    name: key,
    in: place,
    required: place === 'path' || required.includes(key),
    schema: property,
  }))
}

function headersOf(operation: Operation): readonly Json[] {
  const text = { type: 'string' }
  return [
    ...(operation.needsMatch ? [{ name: 'If-Match', in: 'header', required: true, schema: text }] : []),
    ...(takesKey(operation)
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: text }]
      : []),
  ]
}

/**
 * The JSON Schema of a value as it is sent. Response schemas allow additional fields, because later versions might add
 * some.
 */
function toSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}
