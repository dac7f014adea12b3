// The connections from the suite to the fixture. Each starts its processes and returns how to stop them.
import { startGateway } from '../../bench/dist/performance/start-gateway.js'
import { startProcess } from '../../bench/dist/performance/start-process.js'
import { FIXTURE } from '../peers/ready.mjs'
import { startReverseProxy } from './reverse-proxy.mjs'
import { stripResponse } from './strip-fields.mjs'

export async function openDirect() {
  const fixture = await startFixture()
  return { url: fixture.url, stop: fixture.stop }
}

/**
 * The fixture over HTTP behind Hintgate. It supports only the era of the revision: with both, the gateway would
 * choose the modern one, and features of earlier servers (closing a stream and resuming it) would stay untested.
 */
export function openThroughHttp(era) {
  return openBehind(
    () => startFixture('--era', era),
    ({ url }) => startDoor({ url, trust: 'trusted' }),
  )
}

/** The fixture as a child process of Hintgate. */
export function openThroughStdio(era) {
  const args = [FIXTURE, '--stdio', '--era', era]
  return startDoor({ command: process.execPath, args, trust: 'trusted' })
}

/** Any gateway that already has the fixture or an equivalent behind it. */
export function openElsewhere(url, token) {
  return startReverseProxy(url, { headers: authorize(token) })
}

/** A proxy that changes nothing; it shows that the harness loses nothing. */
export function openStandIn() {
  return openBehind(
    () => startFixture(),
    ({ url }) => startReverseProxy(url),
  )
}

export function openStripped() {
  return openBehind(
    () => startFixture(),
    ({ url }) => startReverseProxy(url, { transform: stripResponse }),
  )
}

function startFixture(...options) {
  return startProcess({
    name: 'the conformance fixture',
    command: process.execPath,
    args: [FIXTURE, ...options],
    ready: /listening (http:\/\/\S+)/,
  })
}

/** Tools that ask the client for its roots. */
const ASKS_FOR_ROOTS = /roots|capabilities|multiple_inputs/

/** The operator must allow clients to be asked for roots, which needs a server process for each session. */
function startDoor(server) {
  const own = { ...server, isolation: 'session', roots: 'client', lazy: true }
  const pathOf = ({ headers }) =>
    `/mcp/servers/${ASKS_FOR_ROOTS.test(headers['mcp-name']) ? 'fixture-own' : 'fixture'}`
  return openBehind(
    () => startGateway({ mcpServers: { fixture: server, 'fixture-own': own } }),
    ({ url, token }) => startReverseProxy(url, { headers: authorize(token), pathOf }),
  )
}

function authorize(token) {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

async function openBehind(startBack, startFront) {
  const back = await startBack()
  try {
    const front = await startFront(back)
    return { url: front.url, stop: () => front.stop().finally(back.stop) }
  } catch (error) {
    await back.stop()
    throw error
  }
}
