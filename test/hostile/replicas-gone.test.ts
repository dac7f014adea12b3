import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import { Site, startGatewayAt } from '../support/gateway.ts'
import { LegacyClient } from '../support/raw-mcp.ts'

afterAll(cleanUp)

describe('a process at the address of a stopped replica', () => {
  it('receives no requests and no tokens of callers', async () => {
    const site = new Site({ mcpServers: {} })
    const token = await site.token()
    const start = async () => {
      const port = await findFreePort()
      const env = { HINTGATE_ADVERTISE: `http://127.0.0.1:${port}` }
      return { port, gateway: await startGatewayAt(site, { env }, `127.0.0.1:${port}`) }
    }
    const [gone, other] = [await start(), await start()]
    const { session } = await new LegacyClient(`${gone.gateway.url}/mcp`, token).initialize()
    const client = new LegacyClient(`${other.gateway.url}/mcp`, token)
    client.session = session
    const ask = async () => {
      const reply = client.open('tools/list')
      await reply.closed
      return reply.status
    }
    expect(await ask()).toBe(200)
    await gone.gateway.stop()
    expect(await ask()).toBe(404)

    const got: IncomingMessage[] = []
    const stranger = createServer((req, res) => {
      got.push(req)
      const result = { jsonrpc: '2.0', id: 1, result: { tools: [] } }
      res.writeHead(200, { 'content-type': 'application/json', 'hintgate-proof': 'A'.repeat(43) })
      res.end(JSON.stringify(result))
    })
    later(() => void stranger.close())
    await new Promise<void>(resolve => stranger.listen(gone.port, '127.0.0.1', resolve))
    expect(await ask()).toBe(404)
    expect(got.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/healthz', undefined]])
  })
})
