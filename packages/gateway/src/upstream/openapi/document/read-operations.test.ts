import { assessTool } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../arguments/compile-schema.ts'
import type { Json } from '../../../protocol/messages.ts'
import { type ReadOptions, readOperations } from './read-operations.ts'

const OPTIONS: ReadOptions = {
  include: [],
  exclude: [],
  ownHeaders: new Set(['x-api-key']),
  baseUrl: new URL('https://api.example/v1'),
}
const read = (paths: Json, more: Json = {}, options: Partial<ReadOptions> = {}) =>
  readOperations({ openapi: '3.1.0', paths, ...more }, { ...OPTIONS, ...options })
const names = (paths: Json) => read(paths).operations.map(({ definition }) => definition.name)
const only = (paths: Json, more?: Json) => {
  const { operations, leftOut } = read(paths, more)
  const [operation] = operations
  if (operation === undefined || operations.length > 1) throw new Error(JSON.stringify(leftOut))
  return operation
}
const query = (name: string, schema: Json, more: Json = {}): Json => ({ name, in: 'query', schema, ...more })

describe('the name of a tool', () => {
  it('is the operationId, or else method and path', () => {
    expect(
      names({
        '/users/{id}': { get: { operationId: 'users/get one' }, parameters: [PATH_ID] },
        '/users/{id}/cards': { get: {}, parameters: [PATH_ID] },
      }),
    ).toEqual(['users_get_one', 'get_users_by_id_cards'])
  })

  it('is longer for all operations that would share it, whatever their order', () => {
    const paths = { '/a': { get: { operationId: 'list' } }, '/b': { get: { operationId: 'List' } } }
    expect(names(paths)).toEqual(['list_get_a', 'List_get_b'])
    expect(names(Object.fromEntries(Object.entries(paths).toReversed()))).toEqual([
      'List_get_b',
      'list_get_a',
    ])
  })

  it('is at most 64 characters long and still unique', () => {
    const long = 'x'.repeat(90)
    const found = names({ '/a': { get: { operationId: long } }, '/b': { get: { operationId: `${long}y` } } })
    expect(new Set(found).size).toBe(2)
    for (const name of found) expect(name).toMatch(/^[\w.-]{1,64}$/)
  })
})

const PATH_ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

describe('the arguments', () => {
  it('never include headers that carry credentials or belong to the connection', () => {
    const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } })
    const forbidden =
      'Authorization authorization Host Cookie X-API-Key Content-Length Transfer-Encoding Connection Proxy-Authorization X-Forwarded-For X-Hintgate-Credential-crm Mcp-Session-Id Accept X-HTTP-Method-Override'
    const { definition, parameters } = only({
      '/a': { get: { parameters: [...forbidden.split(' '), 'X-Trace'].map(header) } },
    })
    expect(parameters.map(({ name }) => name)).toEqual(['X-Trace'])
    expect(definition.inputSchema).toMatchObject({ required: ['X-Trace'], additionalProperties: false })
  })

  it('keep parameters of one name apart, and apart from the body', () => {
    const { definition, parameters } = only({
      '/a/{id}': {
        parameters: [PATH_ID],
        post: {
          parameters: [
            query('id', {}),
            query('body', {}),
            query('filter[name]', {}),
            query('filter name', {}),
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { type: 'object', properties: { id: { type: 'number' } } } },
            },
          },
        },
      },
    })
    expect(parameters.map(({ name, argument }) => `${name} ${argument}`)).toEqual([
      'id path_id',
      'id query_id',
      'body query_body',
      'filter[name] query_filter_name',
      'filter name query_filter_name_2',
    ])
    expect(definition.inputSchema).toMatchObject({ required: ['path_id', 'body'] })
  })

  it('replace a parameter of the path with that of the operation', () => {
    const { definition } = only({
      '/a': {
        parameters: [query('n', { type: 'string' })],
        get: { parameters: [query('n', { type: 'integer' })] },
      },
    })
    expect(definition.inputSchema).toMatchObject({ properties: { n: { type: 'integer' } } })
  })

  it('are described by schemas that the gateway checks, circles included', () => {
    const components = {
      schemas: {
        'Node.v1': {
          type: 'object',
          required: ['value', 'id'],
          properties: {
            id: { type: 'string', readOnly: true },
            value: { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true, example: 3 },
            next: { $ref: '#/components/schemas/Node.v1' },
            kind: { oneOf: [{ const: 'a' }, { const: 'b' }], discriminator: { propertyName: 'kind' } },
            $ref: { type: 'string' },
          },
        },
      },
    }
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node.v1' } } } }
    const { definition } = only({ '/a': { post: { requestBody: body } } }, { components })
    expect(definition.inputSchema).toMatchObject({
      properties: { body: { $ref: '#/$defs/Node.v1' } },
      $defs: { 'Node.v1': { required: ['value'], properties: { value: { type: ['integer', 'null'] } } } },
    })
    const check = compileSchema(definition.inputSchema)
    const node = (value: unknown, next?: unknown) => ({
      body: { value, ...(next === undefined ? {} : { next }) },
    })
    expect(check(node(1, { value: null, kind: 'b', $ref: 'x' }))).toBeUndefined()
    expect(check(node(1, { value: 0 }))?.field).toBe('body.next.value')
    expect(check(node(1, { value: 1, kind: 'c' }))?.field).toBe('body.next.kind')
    expect(check({ body: { value: 1 }, extra: 1 })?.field).toBe('extra')
  })

  it('of a form with files are closed if the document closes it', () => {
    const form = (more: Json) =>
      only({
        '/a': {
          post: {
            requestBody: {
              content: { 'multipart/form-data': { schema: { properties: { a: {} }, ...more } } },
            },
          },
        },
      }).definition.inputSchema
    const value = { body: { a: '1', b: '2' } }
    expect(compileSchema(form({}))(value)).toBeUndefined()
    expect(compileSchema(form({ additionalProperties: false }))(value)?.field).toBe('body.b')
  })

  it('accept anything where shared schemas would be too long', () => {
    const big = (at: number) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [
          `property_${at}_${n}`,
          { $ref: `#/components/schemas/S${at + 1}` },
        ]),
      ),
    })
    const schemas = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`S${at}`, big(at)]))
    const { definition } = only(
      {
        '/a': {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } },
          },
        },
      },
      { components: { schemas: { ...schemas, S40: {} } } },
    )
    expect(JSON.stringify(definition).length).toBeLessThan(80_000)
    expect(compileSchema(definition.inputSchema)({ body: { property_0_0: {} } })).toBeUndefined()
  })
})

const ENDLESS = {
  post: {
    requestBody: {
      content: {
        'application/json': {
          schema: {
            required: ['parent'],
            properties: {
              parent: { $ref: '#/paths/~1a/post/requestBody/content/application~1json/schema' },
            },
          },
        },
      },
    },
  },
}

describe('an operation without a tool', () => {
  const body = (type: string) => ({ post: { requestBody: { content: { [type]: {} } } } })
  it.each([
    [{ '/a': { head: {} } }, 'HEAD /a', /HEAD has no content/],
    [{ '/a': { trace: {} } }, 'TRACE /a', /TRACE repeats/],
    [{ '/a/{id}': { get: {} } }, 'GET /a/{id}', /id is not described/],
    [{ '/a': { get: { parameters: [PATH_ID] } } }, 'GET /a', /id is not in the path/],
    [{ '/a': body('chemical/x-pdb') }, 'POST /a', /chemical\/x-pdb cannot be sent/],
    [{ '/a': { get: { parameters: [query('q', { $ref: '#/nowhere' })] } } }, 'GET /a', /names nothing/],
    [
      { '/a': { get: { parameters: [query('q', { $ref: 'other.yaml' })] } } },
      'GET /a',
      /out of the document/,
    ],
    [
      { '/a': { get: { parameters: [{ $ref: '#/paths/~1a/get/parameters/0' }] } } },
      'GET /a',
      /back to itself/,
    ],
    [{ '/a': { get: { servers: [{ url: 'https://other.example' }] } } }, 'GET /a', /another server/],
    [{ '/a?x=1': { get: {} } }, 'GET /a?x=1', /character that a path cannot have/],
    [{ '/a/../b': { get: {} } }, 'GET /a/../b', /character that a path cannot have/],
    [{ '/a/..;x/b': { get: {} } }, 'GET /a/..;x/b', /character that a path cannot have/],
    [{ '//a.example/b': { get: {} } }, 'GET //a.example/b', /has an empty part/],
    [{ '/a': ENDLESS }, 'POST /a', /contain itself without end/],
    [{ a: { get: {} } }, 'a', /does not start with a slash/],
    [{ '/a': { get: { parameters: [query('q', {}, { style: 'fancy' })] } } }, 'GET /a', /style "fancy"/],
  ])('has a reason, and the others are not affected: %j', (paths, operation, reason) => {
    const { operations, leftOut } = read({ ...(paths as Json), '/fine': { get: {} } })
    expect(leftOut).toEqual([{ operation, reason: expect.stringMatching(reason) as string }])
    expect(operations.map(({ path }) => path)).toEqual(['/fine'])
  })

  it.each([
    [{ include: ['tag:pets'] }, ['a', 'b']],
    [{ include: ['GET'] }, ['a', 'c']],
    [{ include: ['GET /pets*'] }, ['a']],
    [{ include: ['/pets*'], exclude: ['b'] }, ['a']],
    [{ exclude: ['DELETE', 'tag:*'] }, ['c']],
    [{ include: ['nothing'] }, []],
  ])('is chosen by the config: %j', (options, expected) => {
    const { operations, leftOut } = read(
      {
        '/pets': { get: { operationId: 'a', tags: ['pets'] }, delete: { operationId: 'b', tags: ['pets'] } },
        '/shops': { get: { operationId: 'c' } },
      },
      {},
      options,
    )
    expect(operations.map(({ definition }) => definition.name)).toEqual(expected)
    expect(leftOut.every(({ reason }) => /"(?:in|ex)clude"/.test(reason))).toBe(true)
    expect(operations.length + leftOut.length).toBe(3)
  })
})

describe('the definition', () => {
  it('has the method for its hints, the tags, and the domains that tags name', () => {
    const { definition } = only({
      '/charges': { get: { tags: ['Payments', 'Charges'], summary: ' List charges ', deprecated: true } },
    })
    expect(definition).toMatchObject({ title: 'List charges', description: 'Deprecated. List charges' })
    const { declared, effective } = assessTool(definition, { vouched: true })
    expect(declared).toMatchObject({ hints: {}, tags: ['Payments', 'Charges'], serviceDomains: ['payments'] })
    expect(effective.readOnly).toEqual({ value: true, source: 'inferred' })
  })

  it('declares hints that the document declares', () => {
    const { definition } = only({
      '/search': { post: { operationId: 'search', 'x-hintgate': { annotations: { readOnlyHint: true } } } },
    })
    expect(assessTool(definition, { vouched: true }).variant).toBe('call_tool_read')
    expect(assessTool(definition).variant).toBe('call_tool_write')
  })

  it('describes the answer loosely', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      properties: {
        id: { type: 'string', pattern: '^x' },
        parts: { type: 'array', items: { oneOf: [{ type: 'string' }] } },
      },
    }
    const answer = (of: unknown) => ({
      responses: { '200': { content: { 'application/json': { schema: of } } } },
    })
    const shape = only({ '/a': { get: answer(schema) } })
    expect(shape.structure).toBe('object')
    const check = compileSchema(shape.definition.outputSchema)
    expect(check({ id: null, more: 1, parts: ['y'] })).toBeUndefined()
    expect(check({ id: 7 })?.field).toBe('id')
    const list = only({ '/a': { get: answer({ type: 'array', items: schema }) } })
    expect(list.structure).toBe('wrapped')
    expect(list.definition.outputSchema).toMatchObject({ type: 'object', properties: { result: {} } })
  })
})

describe('the identity of a tool', () => {
  const meta = (operation: Json, options: Partial<ReadOptions> = {}) =>
    JSON.stringify(read({ '/a': { post: operation } }, {}, options).operations[0]?.definition._meta)
  const wire = (more: Json) => meta({ parameters: [query('a_b', { type: 'string' }, more)] })
  const sent = (type: string) =>
    meta({ requestBody: { content: { [type]: { schema: { type: 'object' } } } } })

  it('changes with the name, the place and the style of a parameter, and with the type of the body', () => {
    expect(wire({})).toBe(wire({}))
    const other = [
      wire({ name: 'a b' }),
      wire({ in: 'header' }),
      wire({ style: 'deepObject' }),
      wire({ explode: false }),
    ]
    expect(new Set([wire({}), ...other]).size).toBe(5)
    expect(sent('application/json')).not.toBe(sent('application/x-www-form-urlencoded'))
  })

  it('changes with the address if that is from the document', () => {
    const at = (url: string, isFromDocument: boolean) => meta({}, { baseUrl: new URL(url), isFromDocument })
    expect(at('https://a.example/v1', true)).not.toBe(at('https://b.example/v1', true))
    expect(at('https://a.example/v1', true)).not.toBe(at('https://a.example/v2', true))
    expect(at('https://a.example/v1', false)).toBe(at('https://b.example/v1', false))
  })
})

describe('a short document', () => {
  const ref = (at: number) => ({ $ref: `#/components/schemas/s${at}` })
  const post = (type: string, schema: Json = ref(0)) => ({
    post: { requestBody: { content: { [type]: { schema } } } },
  })
  const schemas = (count: number, make: (at: number) => Json) => ({
    components: {
      schemas: Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, make(at)])),
    },
  })

  it('whose schemas each contain the next one twice is read at once', () => {
    const twice = (at: number) => ({
      type: 'object',
      required: ['a', 'b'],
      properties: at === 55 ? {} : { a: ref(at + 1), b: ref(at + 1) },
    })
    expect(only({ '/a': post('application/json') }, schemas(56, twice)).method).toBe('POST')
  })

  it('whose forms combine each other is read at once', () => {
    const combine = (at: number) =>
      at === 12
        ? { properties: { x: { type: 'string' } } }
        : { allOf: Array.from({ length: 20 }, () => ref(at + 1)) }
    const { inputSchema } = only(
      { '/a': post('multipart/form-data', ref(3)) },
      schemas(13, combine),
    ).definition
    expect(inputSchema).toMatchObject({ properties: { body: { properties: { x: { type: 'string' } } } } })
  })

  it('whose operations repeat large parts is refused with the reason', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`p${at}`, { type: 'string' }]),
    )
    const paths = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`/p${at}`, post('application/json')]),
    )
    const shared = schemas(1, () => ({ type: 'object', properties }))
    expect(read(paths, shared).operations).toHaveLength(50)
    expect(() => read(paths, shared, { steps: 10_000 })).toThrow(/takes too long to read/)
  })

  it('shows nothing of a schema but its keywords', () => {
    const odd = { type: 'object', private_key: 'sk-1', properties: { a: { type: 'string', secret: 'sk-2' } } }
    const { definition } = only({ '/a': post('application/json', odd) })
    expect(JSON.stringify(definition)).not.toContain('sk-')
  })
})

describe('a body that has to contain itself', () => {
  const end = (schemas: Json) =>
    read(
      {
        '/a': {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
          },
        },
      },
      { components: { schemas } },
    ).leftOut
  const A = { $ref: '#/components/schemas/A' }

  it('only in one of several alternatives can be sent', () => {
    const B = { required: ['a'], properties: { a: A } }
    expect(end({ A: { oneOf: [{ $ref: '#/components/schemas/B' }, { type: 'string' }] }, B })).toEqual([])
    expect(end({ A: { oneOf: [{ $ref: '#/components/schemas/B' }] }, B })).toHaveLength(1)
  })
})
