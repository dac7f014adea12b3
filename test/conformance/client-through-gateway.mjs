// What the suite runs as "the client": a gateway in front of the suite's mock server, and a real client in front of
// the gateway. The mock then sees the gateway as its client.
//   node test/conformance/client-through-gateway.mjs [--stand-in] MOCK_URL
import { spawn } from 'node:child_process'
import { startGateway } from '../../bench/dist/performance/start-gateway.js'
import { CLIENT } from '../peers/ready.mjs'
import { startReverseProxy } from './reverse-proxy.mjs'

const mock = process.argv.at(-1)
const { url, token, stop } = await (process.argv.includes('--stand-in')
  ? startReverseProxy(mock)
  : startFront(mock))
process.exitCode = await runClient(url, token)
await stop()

async function startFront(upstream) {
  // The suite sends null where the tool's schema wants a string, to see which header comes of it.
  const server = { url: upstream, trust: 'trusted', checkArguments: false }
  const gateway = await startGateway({ mcpServers: { mock: server } })
  return { ...gateway, url: new URL('/mcp/servers/mock', gateway.url).href }
}

function runClient(target, bearer) {
  const env = bearer === undefined ? process.env : { ...process.env, GATEWAY_TOKEN: bearer }
  return new Promise(resolve => {
    const child = spawn(process.execPath, [CLIENT, target], { env, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('exit', code => resolve(code ?? 1))
  })
}
