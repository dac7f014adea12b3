import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.ts'
import { headersOf, META, type Scene } from './scene.ts'

const LONG_MS = 3000
const NAP_MS = 3000
/** Notes of 200 kB, more than the socket buffers of a stalled reader. */
const FLOOD = 80

/** Disconnects during a call. */
export async function cancel(scene: Scene): Promise<void> {
  const { path, name, body, mark } = scene.someCall({ ms: LONG_MS })
  const leaving = new AbortController()
  setTimeout(() => leaving.abort(), 20 + scene.random() * 200)
  const text = await scene.send(scene.somebody(), path, {
    body,
    headers: headersOf('tools/call', name),
    signal: leaving.signal,
  })
  scene.tally.judgePart(text, mark)
}

/** Requests progress and does not read it: is disconnected, or gets its answer when it reads again. */
export async function choke(scene: Scene): Promise<void> {
  const { tally } = scene
  const mark = tally.nextMark()
  const server = scene.pick(scene.fleet.programs)
  const params = { name: 'read', arguments: { mark, flood: FLOOD }, _meta: { ...META, progressToken: 0 } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params })
  let isWhole = false
  const nap = async (response: IncomingMessage): Promise<void> => {
    response.pause().once('end', () => (isWhole = true))
    await pause(NAP_MS)
    response.resume()
  }
  const text = await scene.send(scene.somebody(), `/mcp/servers/${server}`, {
    body,
    headers: headersOf('tools/call', 'read'),
    onHeaders: response => void nap(response),
  })
  tally.judgePart(text, mark)
  if (!isWhole) tally.count('slow readers cut off')
  else tally.judge(text, { mark, server })
}

/** Opens an event stream and does not read it. */
export async function subscribe(scene: Scene): Promise<void> {
  const params = { notifications: { toolsListChanged: true }, _meta: META }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params })
  const leaving = new AbortController()
  setTimeout(() => leaving.abort(), NAP_MS + scene.random() * 20_000)
  await scene.send(scene.somebody(), '/mcp/direct', {
    body,
    headers: headersOf('subscriptions/listen'),
    signal: leaving.signal,
    onHeaders: response => void response.pause(),
  })
}

const BEGINNINGS = [
  '',
  'POST /mcp HTTP/1.1\r\nHost: local',
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"json',
]
/** Sends half of a request, or nothing, and stays connected: the gateway must close it within a minute or so. */
export function halfOpen(scene: Scene): Promise<void> {
  const { port } = new URL(scene.fleet.gateway.url)
  const socket = connect(Number(port), '127.0.0.1')
  const beginning = scene.pick(BEGINNINGS)
  if (beginning !== '') socket.write(beginning)
  socket.on('error', () => {}).resume()
  const impatience = setTimeout(() => {
    scene.tally.lost.push(`a connection with ${JSON.stringify(beginning)} was never ended`)
    socket.destroy()
  }, PATIENCE_MS)
  return new Promise(resolve => {
    socket.once('close', () => {
      clearTimeout(impatience)
      resolve()
    })
  })
}
