import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AdminError, addressOf, createAdminClient } from './client.ts'
import { OPERATIONS, type OperationName, SCHEMAS, type Schemas } from './contract/contract.ts'
import type { Operation } from './contract/operations.ts'
import { createOpenApi } from './openapi.ts'

const NAMES = Object.keys(OPERATIONS) as OperationName[]
const document = createOpenApi('1.2.3') as unknown as {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        'x-role': string
        parameters?: { name: string; in: string }[]
        responses: Record<string, object>
      }
    >
  >
}

describe('the OpenAPI document', () => {
  it('has every operation with its role, parameters and answers', () => {
    for (const name of NAMES) {
      const operation: Operation = OPERATIONS[name]
      const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
      expect(described, name).toMatchObject({ operationId: name, 'x-role': operation.role })
      const inPath = described?.parameters?.filter(one => one.in === 'path').map(one => one.name) ?? []
      expect(inPath, name).toEqual([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key))
      expect(Object.keys(described?.responses ?? {}), name).toEqual([
        String(operation.status ?? 200),
        'default',
      ])
      const { response }: Schemas = SCHEMAS[name]
      expect(response === undefined, `${name} answers with JSON, or streams`).toBe(
        operation.streams !== undefined,
      )
    }
  })

  it('has an Idempotency-Key for every POST with side effects', () => {
    const withKey = NAMES.filter(name => {
      const { method, path } = OPERATIONS[name]
      const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? []
      return parameters.some(one => one.name === 'Idempotency-Key')
    })
    expect(withKey).toContain('createAgent')
    for (const name of ['signIn', 'checkPolicy', 'tryPolicy', 'replayPolicies', 'verifyChain'] as const)
      expect(withKey).not.toContain(name)
  })

  it('matches the documentation of every operation', () => {
    const page = readFileSync(new URL('../../../../docs/admin-api.md', import.meta.url), 'utf8')
    const rows = page.split('\n').filter(line => /^\| `(?:GET|POST|PUT|DELETE) /.test(line))
    expect(rows).toEqual(
      NAMES.map(name => {
        const { method, path, role, summary }: Operation = OPERATIONS[name]
        return `| \`${method} ${path}\` | ${role} | ${summary} |`
      }),
    )
  })
})

describe('the admin client', () => {
  const asked: { url: string; init: RequestInit }[] = []
  const clientThat = (answer: Response) =>
    createAdminClient({
      base: 'http://gate',
      token: 'secret',
      fetch: async (url, init) => {
        asked.push({ url: url instanceof Request ? url.url : url.toString(), init: init ?? {} })
        return answer
      },
    })

  it('sends requests as in the contract', async () => {
    const client = clientThat(Response.json({ items: [] }))
    await client.listTools({ query: { query: 'a b', limit: 5, server: undefined } })
    expect(asked.at(-1)?.url).toBe('http://gate/api/v1/tools?query=a+b&limit=5')
    expect(asked.at(-1)?.init.headers).toEqual({ accept: 'application/json', authorization: 'Bearer secret' })
    expect(addressOf('getTool', { params: { server: 's', name: 'a/b?c' } })).toBe('/api/v1/tools/s/a%2Fb%3Fc')
  })

  it('sends the CSRF header, the version and the idempotency key of a change', async () => {
    const client = clientThat(Response.json({}))
    await client.setOverride({
      params: { server: 's', name: 't' },
      body: { hints: { readOnly: true } },
      ifMatch: 'v1',
      idempotencyKey: 'k',
    })
    expect(asked.at(-1)?.init).toMatchObject({
      method: 'PUT',
      body: '{"hints":{"readOnly":true}}',
      headers: {
        'x-hintgate-csrf': '1',
        'if-match': 'v1',
        'idempotency-key': 'k',
        'content-type': 'application/json',
      },
    })
  })

  it('fails with the problem of the gateway, or with the status without one', async () => {
    const problem = {
      type: 'about:blank',
      title: 'No',
      status: 412,
      detail: 'Look again.',
      code: 'stale_edit',
    }
    const refused = clientThat(Response.json(problem, { status: 412 })).me()
    await expect(refused).rejects.toMatchObject({ code: 'stale_edit', status: 412, message: 'Look again.' })
    await expect(clientThat(new Response('oops', { status: 502 })).me()).rejects.toThrow(AdminError)
  })
})
