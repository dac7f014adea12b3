import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { headersOf, META, type Scene } from './scene.ts'

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'soak', version: '0' },
}
const FORGETFUL = 0.2
const NAP_MS = 1500

/** One call of a modern client. */
export async function call(scene: Scene, dueAt: number): Promise<void> {
  const { path, name, body, ...mark } = scene.someCall()
  const text = await scene.send(scene.somebody(), path, { body, headers: headersOf('tools/call', name) })
  if (scene.tally.judge(text, mark)) scene.tally.times.push(performance.now() - dueAt)
}

/** A legacy client: opens a session, makes two concurrent calls, then ends the session or leaves it. */
export function openSession(scene: Scene): Promise<void> {
  return haveSession(scene, scene.pick(scene.fleet.servers))
}

/** The same with a process for every session. */
export function openProcess(scene: Scene): Promise<void> {
  return haveSession(scene, scene.fleet.isolated)
}

async function haveSession(scene: Scene, server: string): Promise<void> {
  const { tally } = scene
  const token = scene.somebody()
  const path = `/mcp/servers/${server}`
  let session = ''
  const onHeaders = (response: IncomingMessage): void => {
    session = String(response.headers['mcp-session-id'] ?? '')
  }
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO })
  await scene.send(token, path, { body: hello, onHeaders })
  const headers = { 'mcp-session-id': session }
  const calls = [1, 2].map(async id => {
    const mark = tally.nextMark()
    const params = { name: 'read', arguments: { mark } }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
    tally.judge(await scene.send(token, path, { body, headers }), { mark, server })
  })
  await Promise.all(calls)
  if (scene.random() < FORGETFUL) return tally.count('sessions forgotten')
  await scene.send(token, path, { method: 'DELETE', headers })
}

/** Requests a long list, waits, and then reads it: it must be complete. */
export async function readLate(scene: Scene): Promise<void> {
  const params = { _meta: META }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/list', params })
  const nap = async (response: IncomingMessage): Promise<void> => {
    response.pause()
    await pause(NAP_MS)
    response.resume()
  }
  const text = await scene.send(scene.somebody(), '/mcp/direct', {
    body,
    headers: headersOf('tools/list'),
    onHeaders: response => void nap(response),
  })
  const first = scene.fleet.servers[0] ?? ''
  if (isWhole(text) && text.includes(`"${first}__read"`)) scene.tally.count('lists read late')
  else scene.tally.lost.push(`a list read late: ${text.slice(0, 300)} … ${text.slice(-100)}`)
}

function isWhole(json: string): boolean {
  try {
    return JSON.parse(json) !== undefined
  } catch {
    return false
  }
}
