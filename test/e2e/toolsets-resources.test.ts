import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { holdingsOf, Library } from '../support/library.ts'
import type { Json, Message } from '../support/raw-mcp.ts'
import { connect, ERAS, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  const library = (name: string) => new Library(name, witness, holdingsOf(name)).config
  gateway = await startReadyGateway({
    mcpServers: { east: library('east'), west: library('west') },
    toolsets: {
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
