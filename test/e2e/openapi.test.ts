import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SmallApi, sendJson } from '../../packages/gateway/src/upstream/test-support/small-api.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { approve, waitingFor } from '../support/confirming.ts'
import { type Gateway, Site, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { address, run } from '../support/processes.ts'
import {
  type Json,
  LegacyClient,
  type Message,
  ModernClient,
  refusalOf,
  textOf,
  toolNames,
} from '../support/raw-mcp.ts'
import { EVERYTHING, retrieve } from '../support/search-client.ts'

const PETSTORE = fileURLToPath(new URL('../../examples/petstore/', import.meta.url))
const DOCUMENT = readFileSync(join(PETSTORE, 'petstore.yaml'), 'utf8')
const env = { PETSTORE_KEY: 'secret-of-the-store' }

afterAll(cleanUp)

/** Replaces a file in one step, like an editor. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

interface Store {
  readonly site: Site
  readonly gateway: Gateway
  readonly file: string
  readonly search: ModernClient
  readonly client: ModernClient
}

/** Starts the pet store's API, and a gateway with it as a server. */
async function openStore(config: Json = {}, server: Json = {}): Promise<Store> {
  const url = await address(run(process.execPath, [join(PETSTORE, 'service.mjs'), '0'], { env }))
  const auth = { header: 'X-Api-Key', value: `\${env:PETSTORE_KEY}` }
  const site = new Site({
    mcpServers: { petstore: { openapi: 'petstore.yaml', url, auth, ...server } },
    ...config,
  })
  const file = join(site.folder, 'petstore.yaml')
  replace(file, DOCUMENT)
  const gateway = await startGatewayAt(site, { env })
  await gateway.says(/\bpetstore is ready/)
  const token = await site.token({ permissions: EVERYTHING })
  return {
    site,
    gateway,
    file,
    search: new ModernClient(`${gateway.url}/mcp`, token),
    client: new ModernClient(gateway.endpoint('petstore'), token),
  }
}

const structured = ({ result }: Message): Json => (result?.structuredContent ?? {}) as Json

describe('an HTTP API whose tools were approved', () => {
  let store: Store
  beforeAll(async () => {
    store = await openStore({ quarantine: true, confirm: { destructive: 'always' } }, { trust: 'trusted' })
  })

  it('has a read for each GET, with the source of every hint', async () => {
    const { tools } = await retrieve(store.search, 'list pets', { detail: 'full' })
    expect(tools.find(({ id }) => id === 'petstore:list_pets')).toMatchObject({
      call_with: 'call_tool_read',
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
      sources: { readOnlyHint: 'inferred', openWorldHint: 'inferred' },
    })
    const shown = await hintgate(['tools', 'show', 'petstore:remove_pet', ...store.site.flags], { env })
    expect(shown.stdout).toMatch(/call with +call_tool_destructive/)
    expect(shown.stdout).toMatch(/destructive +yes +inferred/)
  })

  it('answers a read, and says how to get the next page', async () => {
    const answer = await store.search.call('call_tool_read', {
      name: 'petstore:list_pets',
      args: { kind: 'cat', page: 1 },
    })
    expect((structured(answer).result as Json[])[0]).toEqual({ id: '1', name: 'Pet 1', kind: 'cat' })
    const all = await store.client.call('list_pets')
    expect(JSON.stringify(all.result?.content)).toContain('call list_pets with {\\"page\\":2}')
  })

  it('asks a person before a DELETE, and sends it once approved', async () => {
    const refused = await store.client.call('remove_pet', { id: '2' })
    expect(refusalOf(refused)).toBe('confirmation_required')
    expect(textOf(await store.client.call('get_pet', { id: '2' }))).toContain('Pet 2')
    await approve(store.site, waitingFor(refused).id)
    expect(textOf(await store.client.call('remove_pet', { id: '2' }))).toBe('Done (204).')
    expect((await store.client.call('get_pet', { id: '2' })).result?.isError).toBe(true)
  })

  it('cannot be called as less than it does', async () => {
    const answer = await store.search.call('call_tool_read', { name: 'petstore:add_pet', args: { body: {} } })
    expect(refusalOf(answer)).toBe('intent_mismatch')
  })

  it('sends and returns files', async () => {
    const photo = { base64: Buffer.from([137, 80, 78, 71, 0, 255]).toString('base64'), filename: 'a.png' }
    const added = await store.client.call('add_photo', { id: '3', body: { photo, caption: 'Rex' } })
    expect(structured(added)).toEqual({ bytes: 6 })
    const read = await store.client.call('get_photo', { id: '3' })
    expect(read.result?.content).toMatchObject([{ type: 'image', data: photo.base64, mimeType: 'image/png' }])
  })

  it.each([
    ['get_pet', { id: '..' }, /is a part of the path/],
    ['get_pet', { id: '3/photo' }, /must not contain a slash/],
    ['get_pet', { id: '3%2fphoto' }, /encoded slash/],
    ['get_pet', { id: '3', Authorization: 'Bearer x' }, /Authorization/],
    ['list_pets', { page: '1&kind=dog' }, /page/],
    ['add_pet', { body: { name: 'Rex', kind: 'dragon' } }, /kind/],
    ['add_pet', { name: 'Rex', kind: 'dog' }, /body|name/],
  ])('refuses hostile arguments of %s: %j', async (name, args, said) => {
    const answer = await store.client.call(name, args)
    expect(answer.result?.isError).toBe(true)
    expect(JSON.stringify(answer.result)).toMatch(said)
  })

  it('holds an operation that the document changes, and hides a new one', async () => {
    replace(
      store.file,
      DOCUMENT.replace(
        '  /pets/{id}/photo:',
        '  /owners:\n    get: { operationId: list_owners }\n  /pets/{id}/photo:',
      ).replace('summary: Get a pet\n', 'summary: Get a pet and send it to the buyer\n'),
    )
    await expect
      .poll(async () => toolNames(await store.client.request('tools/list')), { timeout: 15_000 })
      .not.toContain('get_pet')
    expect(refusalOf(await store.client.call('get_pet', { id: '3' }))).toBe('quarantined')
    expect(JSON.stringify(await store.client.call('list_owners'))).not.toContain('isError":false')
    expect(toolNames(await store.client.request('tools/list'))).not.toContain('list_owners')
    const { stdout } = await hintgate(['tools', 'diff', 'petstore:get_pet', ...store.site.flags], { env })
    expect(stdout).toContain('send it to the buyer')
    replace(store.file, DOCUMENT)
    await expect
      .poll(async () => toolNames(await store.client.request('tools/list')), { timeout: 15_000 })
      .toContain('get_pet')
  }, 40_000)
})

it('waits for review like any server, and shows no tool before', async () => {
  const { client, gateway } = await openStore({ quarantine: true })
  expect(toolNames(await client.request('tools/list'))).toEqual([])
  expect(refusalOf(await client.call('list_pets'))).toBe('quarantined')
  await gateway.stop?.()
})

describe("the caller's own credential", () => {
  const PATHS = { '/me': { get: { operationId: 'get_me' } } }
  const SECRETS = ['Bearer of-ann-3f9a7c21', 'Bearer of-bob-77aa01bc']
  let api: SmallApi
  let gateway: Gateway
  let token: string

  beforeAll(async () => {
    api = await new SmallApi().start()
    later(() => api.stop())
    api.routes['GET /me'] = (res, { headers }) => sendJson(res, 200, { you: headers.authorization })
    const { file } = api.describe(PATHS)
    const server = { openapi: file, url: api.url, trust: 'trusted' }
    gateway = await startReadyGateway({
      mcpServers: { crm: { ...server, auth: { caller: 'Authorization' } }, other: { ...server } },
    })
    token = await gateway.site.token()
  })
  beforeEach(() => {
    api.received.length = 0
  })

  const sent = () => api.received.map(({ headers }) => headers.authorization)

  it('goes to its own server only, for clients of both eras', async () => {
    const [ann = '', bob = ''] = SECRETS
    const headers = { 'X-Hintgate-Credential-Crm': ann }
    await new ModernClient(gateway.endpoint('crm'), token).call('get_me', {}, { headers })
    await new ModernClient(gateway.endpoint('other'), token).call('get_me', {}, { headers })
    const legacy = await new LegacyClient(gateway.endpoint('crm'), token).initialize()
    const ask = (id: number, more: Record<string, string>) =>
      legacy
        .post({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_me', arguments: {} } }, more)
        .answer()
    await ask(1, { 'x-hintgate-credential-crm': bob })
    expect(textOf(await ask(2, {}))).toContain('x-hintgate-credential-crm')
    expect(sent()).toEqual([ann, undefined, bob])
  })

  it('is not the token for the gateway, which no API ever gets', async () => {
    const client = new ModernClient(gateway.endpoint('crm'), token)
    expect(textOf(await client.call('get_me'))).toContain("needs the caller's own credential")
    await client.call('get_me', {}, { headers: { 'x-hintgate-credential-crm': SECRETS[0] ?? '' } })
    expect(JSON.stringify(api.received)).not.toContain(token)
  })

  it('is in no answer, log, audit row or file', async () => {
    const answer = await new ModernClient(gateway.endpoint('crm'), token).call(
      'get_me',
      {},
      { headers: { 'x-hintgate-credential-crm': SECRETS[0] ?? '' } },
    )
    expect(structured(answer)).toEqual({ you: '[masked]' })
    const { site } = gateway
    const exported = await hintgate(['audit', 'export', ...site.flags])
    expect(exported.stdout).toContain('get_me')
    const folder = join(site.home, 'data')
    const files = readdirSync(folder).map(name => readFileSync(join(folder, name)).toString('latin1'))
    const written = [exported.stdout, gateway.stderr.items.join('\n'), ...files].join('\n')
    for (const secret of SECRETS) expect(written).not.toContain(secret.slice(7))
  })
})

describe('a document that cannot be used', () => {
  it('is reported with its line, and the other servers work', async () => {
    const site = new Site({ mcpServers: { bad: { openapi: 'bad.yaml', url: 'http://127.0.0.1:1' } } })
    replace(join(site.folder, 'bad.yaml'), 'info: {}\nswagger: "2.0"\n')
    const { code, stdout } = await hintgate(['servers', 'test', 'bad', ...site.flags])
    expect(code).toBe(1)
    expect(stdout).toMatch(/bad\.yaml:2: this is Swagger 2\.0; convert it/)
  })

  it('is reported as missing, without its folder', async () => {
    const site = new Site({ mcpServers: { bad: { openapi: 'missing.yaml' } } })
    const { stdout } = await hintgate(['servers', 'test', 'bad', ...site.flags])
    expect(stdout).toMatch(/missing\.yaml does not exist; correct the path/)
    const examined = await hintgate(['doctor', ...site.flags])
    expect(examined.stdout).toMatch(/missing\.yaml does not exist \(document_missing\)/)
  })

  it.each([
    [{ openapi: 'https://x.example/a.yaml' }, /must be a file/],
    [{ openapi: 'a.yaml', command: 'x' }, /command and openapi cannot be used together/],
    [
      { url: 'https://x.example', auth: { caller: 'Authorization' } },
      /applies only to a server with "openapi"/,
    ],
    [{ openapi: 'a.yaml', auth: { caller: 'Host' } }, /expected/],
    [
      { openapi: 'a.yaml', auth: { clientCredentials: { clientId: 'a', clientSecret: 'b' } } },
      /"tokenUrl" or "issuer"/,
    ],
    [{ openapi: 'a.yaml', auth: { caller: 'X-Key' }, headers: { 'x-key': '1' } }, /also in "headers"/],
    [{ openapi: 'a.yaml', auth: { caller: 'X-Key' } }, /any address that the document names/],
    [{ openapi: 'a.yaml', headers: { 'x-key': '1' } }, /any address that the document names/],
    [{ openapi: 'a.yaml', isolation: 'session' }, /no effect for an HTTP API/],
  ])('or a config of it is refused: %j', async (server, said) => {
    const site = new Site({ mcpServers: { s: server } })
    const { code, stderr, stdout } = await hintgate(['doctor', ...site.flags])
    expect(code).not.toBe(0)
    expect(stderr + stdout).toMatch(said)
  })
})

describe('the commands', () => {
  const PATHS = { '/a': { get: { operationId: 'get_a' }, trace: {} } }
  const place = (text: string) => {
    const site = new Site({})
    replace(join(site.folder, 'api.json'), text)
    return { site, file: join(site.folder, 'api.json') }
  }

  it('add an API with the secret in a file, and show what is left out', async () => {
    const { site, file } = place(JSON.stringify({ openapi: '3.1.0', paths: PATHS }))
    const header = ['--header', 'Authorization: Bearer sk-live-9f8a7c6d5e4f3a2b1c0d']
    const url = ['--url', 'http://127.0.0.1:9/v1']
    const added = await hintgate([
      'servers',
      'add',
      'crm',
      '--openapi',
      file,
      ...url,
      ...header,
      ...site.flags,
    ])
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 operations are tools; 1 operations are left out/) as string,
    })
    const config = readFileSync(site.configFile, 'utf8')
    expect(config).toContain('"openapi": "api.json"')
    expect(config).not.toContain('sk-live')
    const tested = await hintgate(['servers', 'test', 'crm', ...site.flags])
    expect(tested.stdout).toMatch(/1 tools.*\n {2}left out TRACE \/a: TRACE repeats/)
  })

  it('refuse to add a document that cannot be used', async () => {
    const { site, file } = place('{"swagger":"2.0"}')
    const added = await hintgate(['servers', 'add', 'crm', '--openapi', file, ...site.flags])
    expect(added).toMatchObject({ code: 2, stderr: expect.stringMatching(/this is Swagger 2\.0/) as string })
    expect(readFileSync(site.configFile, 'utf8')).not.toContain('openapi')
  })

  it('mask the value of the credential', async () => {
    const auth = { header: 'X-Api-Key', value: 'plain-secret-77' }
    const site = new Site({ mcpServers: { crm: { openapi: 'api.json', url: 'http://127.0.0.1:9', auth } } })
    const { stdout } = await hintgate(['servers', 'show', 'crm', ...site.flags])
    expect(stdout).toContain('X-Api-Key')
    expect(stdout).not.toContain('plain-secret')
  })

  it('lint a document', async () => {
    const { code, stdout } = await hintgate(['lint', join(PETSTORE, 'petstore.yaml'), '--json'])
    expect(code).toBe(0)
    expect(stdout).toContain('remove_pet')
  })
})
