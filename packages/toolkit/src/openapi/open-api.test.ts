import { readDefinition } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { Toolkit } from '../index.ts'
import { createTestClient } from '../testing/index.ts'

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Pet Store', version: '2.1' },
  servers: [{ url: 'https://{region}.pets.example/v1', variables: { region: { default: 'eu' } } }],
  'x-hintgate': { serviceDomains: ['ecommerce'] },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        tags: ['pets'],
        parameters: [
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
        ],
      },
      post: {
        operationId: 'addPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
      },
    },
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: { summary: 'Get a pet' },
      put: {
        operationId: 'setPet',
        parameters: [{ name: 'id', in: 'query', schema: { type: 'integer' } }],
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
      },
      delete: {
        operationId: 'deletePet',
        'x-hintgate': { action: 'Deleted pet {id}', behavior: { reversible: true } },
      },
    },
    '/search': {
      post: {
        operationId: 'searchPets',
        'x-hintgate': {
          name: 'search_pets',
          behavior: { operations: ['read'], readOnly: true, idempotent: true },
        },
      },
    },
    '/photo': { put: { operationId: 'upload', requestBody: { content: { 'image/png': {} } } } },
    '/internal': { get: { operationId: 'internal', 'x-hintgate': { hidden: true } } },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', example: 'Rex' },
          age: { type: 'integer', minimum: 0, exclusiveMinimum: true, nullable: true },
          parent: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
}

interface Sent {
  readonly url: string
  readonly init: RequestInit
}

function createPets(respond: () => Response = () => Response.json({ ok: true })) {
  const sent: Sent[] = []
  const toolkit = Toolkit.fromOpenAPI(DOCUMENT, {
    headers: () => ({ authorization: 'Bearer real' }),
    fetch: async (url, init = {}) => {
      sent.push({ url: url instanceof URL ? url.href : '', init })
      return respond()
    },
  })
  return { sent, toolkit, client: createTestClient(toolkit) }
}

const definitionOf = (name: string) =>
  createPets()
    .toolkit.manifest()
    .tools.find(tool => tool.name === name)

describe('openApi', () => {
  it('creates a tool for every operation that can be called', () => {
    const manifest = createPets().toolkit.manifest()
    expect(manifest).toMatchObject({ name: 'pet-store', version: '2.1' })
    expect(manifest.tools.map(({ name }) => name)).toEqual([
      'listPets',
      'addPet',
      'get_pets_by_id',
      'setPet',
      'deletePet',
      'search_pets',
    ])
  })

  it.each([
    ['listPets', { readOnly: true, destructive: false, idempotent: true, openWorld: true }, ['read']],
    ['addPet', { readOnly: false, destructive: false, idempotent: false, openWorld: true }, ['create']],
    ['setPet', { readOnly: false, destructive: false, idempotent: true, openWorld: true }, ['update']],
    [
      'deletePet',
      { readOnly: false, destructive: true, idempotent: true, openWorld: true, reversible: true },
      ['delete'],
    ],
    ['search_pets', { readOnly: true, destructive: false, idempotent: true, openWorld: true }, ['read']],
  ])('takes the hints of %s from its method and x-hintgate', (name, hints, operations) => {
    expect(readDefinition(definitionOf(name)).declared).toMatchObject({
      hints,
      operations,
      serviceDomains: ['ecommerce'],
    })
  })

  it('reports skipped operations and the reason', () => {
    expect(createPets().toolkit.findings).toContainEqual(
      expect.objectContaining({
        subject: 'upload',
        level: 'warning',
        message: expect.stringContaining('image/png') as string,
      }),
    )
  })

  it('describes arguments in JSON Schema', () => {
    expect(definitionOf('addPet')?.inputSchema).toEqual({
      type: 'object',
      properties: { body: { $ref: '#/$defs/Pet' } },
      required: ['body'],
      additionalProperties: false,
      $defs: {
        Pet: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            age: { type: ['integer', 'null'], exclusiveMinimum: 0 },
            parent: { $ref: '#/$defs/Pet' },
          },
        },
      },
    })
  })

  it.each([
    ['listPets', { tag: ['a', 'b&c'] }, 'GET https://eu.pets.example/v1/pets?tag=a&tag=b%26c'],
    ['get_pets_by_id', { id: 'a/../b' }, 'GET https://eu.pets.example/v1/pets/a%2F..%2Fb'],
    ['setPet', { path_id: 'x', query_id: 3 }, 'PUT https://eu.pets.example/v1/pets/x?id=3'],
  ])('%s %j is %s', async (name, args, request) => {
    const { client, sent } = createPets()
    expect((await client.call(name, args)).structuredContent).toEqual({ ok: true })
    expect(sent.map(({ url, init }) => `${init.method} ${url}`)).toEqual([request])
  })

  it('sends bodies, headers, and its own credential last', async () => {
    const { client, sent } = createPets()
    await client.call('addPet', { body: { name: 'Rex' } })
    await client.call('setPet', { path_id: '1', body: { name: 'a b' } })
    await client.call('listPets', { 'X-Trace': 't' })
    expect(sent.map(({ init }) => init.body)).toEqual(['{"name":"Rex"}', 'name=a+b', undefined])
    expect(sent[2]?.init.headers).toMatchObject({ authorization: 'Bearer real', 'X-Trace': 't' })
    expect(sent[0]?.init.redirect).toBe('manual')
  })

  it.each(['.', '..', ''])('rejects a path argument (%j) that would change the path', async id => {
    const { client, sent } = createPets()
    const result = await client.call('get_pets_by_id', { id })
    expect(result.isError).toBe(true)
    expect(sent).toEqual([])
  })

  it('reports the invalid argument', async () => {
    const { client } = createPets()
    const texts = async (args: object) => {
      const { content } = await client.call('addPet', args)
      return content.map(part => (part.type === 'text' ? part.text : ''))
    }
    expect(await texts({})).toEqual(['Invalid arguments for addPet: body: required'])
    expect((await texts({ body: { name: 7 } }))[0]).toContain('body.name: ')
    expect((await texts({ body: { name: 'x' }, boddy: 1 }))[0]).toContain('boddy: unknown argument')
  })

  it('returns the error of the service', async () => {
    const failing = createPets(() => new Response('no such pet', { status: 404 }))
    expect(await failing.client.call('get_pets_by_id', { id: '1' })).toMatchObject({
      isError: true,
      content: [{ text: 'The service answered 404: no such pet' }],
    })
    const silent = createPets(() => new Response(null, { status: 204 }))
    expect(await silent.client.call('deletePet', { id: '1' })).toMatchObject({
      content: [{ text: 'Done (204).' }],
    })
  })

  it('follows the same rules as other tools', () => {
    const paths = {
      '/x': { get: { operationId: 'x', 'x-hintgate': { behavior: { operations: ['delete'] }, hint: 1 } } },
    }
    const toolkit = Toolkit.fromOpenAPI({ ...DOCUMENT, paths })
    const errors = toolkit.findings.filter(({ level }) => level === 'error')
    expect(errors.map(({ code }) => code)).toEqual([
      'unknown-field',
      'readonly-mutates',
      'delete-not-destructive',
    ])
  })

  it.each([
    [{ swagger: '2.0' }, 'not an OpenAPI 3 document'],
    [{ openapi: '3.1.0', paths: {} }, 'no absolute server URL'],
  ])('rejects an unusable document (%j) with a message', (document, message) => {
    expect(() => Toolkit.fromOpenAPI(document).manifest()).toThrow(message)
  })
})
