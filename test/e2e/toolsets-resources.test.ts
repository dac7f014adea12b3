import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Holdings, holdingsOf, Library } from '../support/library.ts'
import { type Json, type Message, ModernClient, refusalOf, textOf, toolNames } from '../support/raw-mcp.ts'
import { connect, ERAS, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const HOST: Json = { extensions: { 'io.modelcontextprotocol/ui': {} } }
const PAGE = { mimeType: 'text/html;profile=mcp-app', text: '<!doctype html>clock' }
const READS = { readOnlyHint: true, openWorldHint: false }
const APP = { resourceUri: 'ui://clock/app.html' }
const ofApp = (name: string, ui: Json, properties: Json = {}): Json => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties },
  annotations: READS,
  _meta: { ui },
})
const CLOCK: Holdings = {
  tools: [
    ofApp('show_time', APP),
    ofApp('refresh', { ...APP, visibility: ['app'] }, { zone: { type: 'string' } }),
    ofApp('reset', { ...APP, visibility: ['app'] }),
  ],
  contents: { 'ui://clock/app.html': PAGE },
}

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  const library = (name: string) => new Library(name, witness, holdingsOf(name)).config
  gateway = await startReadyGateway({
    mcpServers: {
      east: library('east'),
      west: library('west'),
      clock: new Library('clock', witness, CLOCK).config,
    },
    toolsets: {
      apps: {
        select: ['clock:show_time', 'clock:refresh'],
        resources: ['clock'],
        overrides: { 'clock:refresh': { arguments: { zone: 'UTC' } } },
      },
      reading: { select: ['east:*', 'west:*'], resources: ['ea*'] },
      found: { select: ['east:*', 'west:*'], resources: ['east'], surface: 'search' },
      tools: ['east:*'],
    },
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const resultOf = (message: Message): Json => {
  if (message.result === undefined) throw new Error(`no result: ${JSON.stringify(message)}`)
  return message.result
}

describe.each(ERAS)('a toolset, for a %s client', era => {
  const open = (name: string) => connect(`${gateway.url}/mcp/sets/${name}`, token, era)

  it.each(['reading', 'found'])(
    'offers the resources and prompts of the servers that it names: %s',
    async set => {
      const client = await open(set)
      const { resources } = resultOf(await client.request('resources/list'))
      expect(resources).toMatchObject([{ uri: 'hintgate://east/book:///one' }])
      const { prompts } = resultOf(await client.request('prompts/list'))
      expect(prompts).toMatchObject([{ name: 'east__summarise' }])
      const { contents } = resultOf(
        await client.request('resources/read', { uri: 'hintgate://east/book:///one' }),
      )
      expect(contents).toMatchObject([{ text: 'one of east' }])
    },
  )

  it.each(['reading', 'found', 'tools'])('answers as if other servers had none: %s', async set => {
    const client = await open(set)
    const west = await client.request('resources/read', { uri: 'hintgate://west/book:///one' })
    const unknown = await client.request('resources/read', { uri: 'hintgate://nowhere/book:///one' })
    expect(west.error).toBeDefined()
    expect(west.error?.code).toBe(unknown.error?.code)
    const prompt = await client.request('prompts/get', { name: 'west__summarise' })
    expect(prompt.error).toBeDefined()
  })

  it('without the key has no resources at all', async () => {
    const answer = await (await open('tools')).request('resources/list')
    expect(answer.error?.code).toBe(-32601)
  })
})

describe('an app of a toolset', () => {
  const host = (capabilities = HOST) => new ModernClient(`${gateway.url}/mcp/sets/apps`, token, capabilities)

  it('has a page at an address of its own', async () => {
    const client = host()
    const { tools } = resultOf(await client.request('tools/list')) as { tools: (Json & { _meta: Json })[] }
    const shown = tools.find(({ name }) => name === 'clock__show_time')
    const { resourceUri: uri } = (shown?._meta.ui ?? {}) as { resourceUri?: string }
    expect(uri).toMatch(/^ui:\/\/hintgate\/clock\//)
    expect(resultOf(await client.request('resources/read', { uri })).contents).toMatchObject([PAGE])
  })

  it('calls tools of the set by their own names, with the arguments that the set fixes', async () => {
    const client = host()
    const answer = JSON.parse(textOf(await client.call('refresh', {})))
    expect(answer).toMatchObject({ name: 'refresh', args: { zone: 'UTC' } })
    expect(refusalOf(await client.call('refresh', { zone: 'PST' }))).toBe('invalid_arguments')
  })

  it('cannot call a tool that is not in the set, and models cannot call its tools', async () => {
    expect(refusalOf(await host().call('reset', {}))).toBe('unknown_tool')
    const model = host({})
    expect(toolNames(await model.request('tools/list'))).toEqual(['clock__show_time'])
    expect(refusalOf(await model.call('refresh', {}))).toBe('unknown_tool')
    expect(refusalOf(await model.call('clock__refresh', {}))).toBe('unknown_tool')
  })
})
