// `npm run crowd`: measures how long one agent waits while another one uses all it can get (decision 36).
//   --of FOLDER   measure another, built clone
//   --only TEXT   only scenes whose name contains TEXT
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readOptions } from './read-options.mjs'
import { makeReady, ROOT } from './ready.mjs'

const { of = ROOT, only = '' } = readOptions(import.meta.url, {
  of: { type: 'string' },
  only: { type: 'string' },
})
const SERVER = fileURLToPath(new URL('crowd-server.mjs', import.meta.url))
const BIN = join(resolve(of), 'packages/gateway/bin/hintgate.js')
const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol'
const MEMBERS = Object.fromEntries(Array.from({ length: 45_000 }, (_, at) => [`k${at}`, 1]))

const SCENES = {
  '140 long bodies': longBodies,
  '40 long results': longResults,
  '10,000 connections': connections,
  '4,000 cancelled calls': cancelledCalls,
}

if (of === ROOT) await makeReady('product')
for (const [name, scene] of Object.entries(SCENES)) if (name.includes(only)) await play(name, scene)

/** Each scene has its own gateway, with the same server, and a token for each of the two agents. */
async function play(name, scene) {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-crowd-'))
  const config = join(folder, 'hintgate.json')
  const server = { command: process.execPath, args: [SERVER], trust: 'trusted' }
  writeFileSync(config, JSON.stringify({ quarantine: false, mcpServers: { s: server } }))
  const flags = ['--config', config, '--home', join(folder, 'home')]
  const gateway = run(['serve', ...flags, '--listen', '127.0.0.1:0'])
  try {
    const url = await lineOf(gateway, /^listening (.*)/)
    const at = { url: new URL(url), greedy: await mint('greedy', flags), other: await mint('other', flags) }
    await callUntilThere(at)
    const figures = await scene(at)
    console.log(`${name.padEnd(24)} load ${loadavg()[0].toFixed(0).padEnd(3)} ${figures}`)
  } finally {
    const ended = once(gateway, 'exit')
    gateway.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(args) {
  return spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
}

async function lineOf(child, pattern) {
  for await (const line of createInterface({ input: child.stdout })) {
    const [, found] = pattern.exec(line) ?? []
    if (found !== undefined) return found
  }
  throw new Error('the gateway did not start')
}

async function mint(name, flags) {
  const scope = ['--permissions', 'read,write,destructive', '--servers', '*', '--json']
  return lineOf(run(['tokens', 'create', name, ...scope, ...flags]), /"token": *"([^"]+)"/)
}

function write({ url }, token, { name, args = {} }) {
  const _meta = { [`${META}/protocolVersion`]: MODERN, [`${META}/clientCapabilities`]: {} }
  const params = { name, arguments: args, _meta }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = {
    host: url.host,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': name,
    'content-length': body.length,
  }
  return { headers, body }
}

/** True if the call returned a result. */
function call(at, token, name, agent) {
  const { headers, body } = write(at, token, { name })
  return new Promise(done => {
    const req = request(new URL('/mcp/servers/s', at.url), { method: 'POST', headers, agent }, res => {
      let text = ''
      res.setEncoding('utf8').on('data', part => (text += part))
      res.on('end', () => done(res.statusCode === 200 && text.includes('"result"')))
      res.on('error', () => done(false))
    })
    req.on('error', () => done(false))
    req.end(body)
  })
}

async function callUntilThere(at) {
  const since = performance.now()
  while (!(await call(at, at.other, 'echo')))
    if (performance.now() - since > 60_000) throw new Error('the server did not start')
}

/** Calls of the other agent in sequence, until the promise settles. */
async function callBeside(at, until, agent = new Agent({ keepAlive: true, maxSockets: 1 })) {
  let isDone = false
  const ends = Promise.resolve(until).finally(() => (isDone = true))
  const took = []
  let failed = 0
  do {
    const since = performance.now()
    if (!(await call(at, at.other, 'echo', agent))) failed += 1
    took.push(performance.now() - since)
  } while (!isDone)
  await ends
  if (agent !== false) agent.destroy()
  took.sort((a, b) => a - b)
  const ms = part => `${took[Math.floor(part * (took.length - 1))].toFixed(1)} ms`
  return `calls ${took.length}, failed ${failed}, p50 ${ms(0.5)}, p99 ${ms(0.99)}, max ${ms(1)}`
}

function open({ url }, bytes) {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => {}).resume()
  if (bytes !== undefined) socket.write(bytes)
  return socket
}

function bytesOf({ headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `POST /mcp/servers/s HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Sends all but the last character of every body first, then all last characters at once. The tool does not exist. */
async function longBodies(at) {
  const bytes = bytesOf(write(at, at.greedy, { name: 'no_such_tool', args: MEMBERS }))
  const sockets = []
  for (let count = 0; count < 140; count++) {
    const socket = open(at)
    await once(socket, 'connect')
    await new Promise(done => socket.write(bytes.slice(0, -1), done))
    sockets.push(socket)
  }
  const answered = Promise.all(sockets.map(socket => once(socket, 'data')))
  for (const socket of sockets) socket.write('}')
  const figures = await callBeside(at, answered)
  for (const socket of sockets) socket.destroy()
  return figures
}

async function longResults(at) {
  const results = Array.from({ length: 40 }, () => call(at, at.greedy, 'rows'))
  const since = performance.now()
  const all = Promise.all(results).then(found => ({ found, ms: performance.now() - since }))
  const figures = await callBeside(at, sleep(12_000))
  const { found, ms } = await all
  return `${figures}; ${found.filter(Boolean).length} results in ${Math.round(ms / 100) / 10} s`
}

/** Idle connections without a token. The other agent uses a new connection for each call. */
async function connections(at) {
  const sockets = []
  const crowd = async () => {
    for (let count = 0; count < 10_000; count += 100) {
      for (let one = 0; one < 100; one++) sockets.push(open(at, 'POST /mcp HTTP/1.1\r\nHost: 127'))
      await sleep(10)
    }
    await sleep(3000)
  }
  const figures = await callBeside(at, crowd(), false)
  for (const socket of sockets) socket.destroy()
  return figures
}

/** Calls cancelled by closing the connection after a millisecond, fifty at a time. */
async function cancelledCalls(at) {
  const bytes = bytesOf(write(at, at.greedy, { name: 'compute' }))
  let left = 4000
  const work = async () => {
    while (left-- > 0) {
      const socket = open(at, bytes)
      await once(socket, 'connect').catch(() => {})
      await sleep(1)
      socket.destroy()
    }
  }
  return callBeside(at, Promise.all(Array.from({ length: 50 }, work)))
}
