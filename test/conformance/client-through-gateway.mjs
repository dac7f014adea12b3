// The "client" for the suite: a real client, and a gateway between it and the suite's mock server. The mock sees the
// gateway as its client. node test/conformance/client-through-gateway.mjs [--stand-in] MOCK_URL
import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startGateway } from '../../bench/dist/performance/start-gateway.js'
import { CLIENT } from '../peers/ready.mjs'
import { startReverseProxy } from './reverse-proxy.mjs'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
const mock = process.argv.at(-1)
const isSignIn = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/') === true
const { url, token, place, stop } = await (process.argv.includes('--stand-in')
  ? startReverseProxy(mock)
  : startFront(mock))
process.exitCode = await (isSignIn ? runSignedIn(place) : runClient(url, token))
await stop()

async function startFront(upstream) {
  // The suite sends null for a string of the schema, to see which header results.
  const server = {
    url: upstream,
    trust: 'trusted',
    checkArguments: false,
    // The suite checks how roots are declared, so some must be configured.
    roots: ['file:///srv'],
    ...(isSignIn ? { oauth: await readOAuth(upstream) } : {}),
  }
  const place = isSignIn ? { listen: `127.0.0.1:${await findFreePort()}` } : {}
  const gateway = await startGateway({ ...place, mcpServers: { mock: server } })
  return { ...gateway, url: new URL('/mcp/servers/mock', gateway.url).href }
}

/** The suite provides this in place of a registration. */
async function readOAuth(upstream) {
  const {
    client_id: clientId,
    client_secret: clientSecret,
    issuer,
  } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
  const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
  if (clientId === undefined) return { clientMetadataUrl }
  // A secret belongs to an issuer; if the suite does not name one, its server does.
  return { clientId, clientSecret, issuer: issuer ?? (await findIssuer(new URL(upstream))) }
}

async function findIssuer({ origin, pathname }) {
  for (const path of [pathname, '']) {
    const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`)
    if (answer.ok) return (await answer.json()).authorization_servers[0]
  }
  return origin
}

/**
 * Simulates a person who signs in whenever the server requires it, and tries again; the suite's server agrees to
 * everything.
 */
async function runSignedIn(flags) {
  let code = await runClient(url, token)
  // A call that is refused because its scope is too narrow is a result, not a failure of the client.
  const least = process.env.MCP_CONFORMANCE_SCENARIO === 'auth/scope-step-up' ? 2 : 1
  for (let turn = 0; turn < 3 && (code !== 0 || turn < least); turn++) {
    if (!(await signIn(flags))) return 1
    code = await runClient(url, token)
  }
  return code
}

async function signIn(flags) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      BIN,
      'servers',
      'login',
      'mock',
      '--json',
      ...flags,
    ])
    const agreed = await fetch(JSON.parse(stdout).url, { redirect: 'manual' })
    const back = await fetch(agreed.headers.get('location'))
    return back.ok
  } catch {
    return false
  }
}

async function findFreePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}

function runClient(target, bearer) {
  const env = bearer === undefined ? process.env : { ...process.env, GATEWAY_TOKEN: bearer }
  return new Promise(resolve => {
    const child = spawn(process.execPath, [CLIENT, target], { env, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('exit', code => resolve(code ?? 1))
  })
}
