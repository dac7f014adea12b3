// The ways from the suite to the fixture. Each starts what it needs and says how to stop it.
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
 * The fixture over HTTP behind Hintgate. It speaks the era of the revision only: of a server that speaks both, the
 * gateway would choose the modern one, and what only older servers do (closing a stream to go on later) was not tested.
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

/** Any gateway that has the fixture, or something as good, behind it already. */
export function openElsewhere(url, token) {
  return startReverseProxy(url, { headers: authorize(token) })
}

/** A proxy that only passes on: shows that this harness itself loses nothing. */
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

/** Tools that have the client asked for its roots. */
const ASKS_FOR_ROOTS = /roots|capabilities|multiple_inputs/

/** An operator has to want that clients are asked for roots, and a server for each session with it. */
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
