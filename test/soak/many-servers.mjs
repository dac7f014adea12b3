// Many small MCP servers in one process: node many-servers.mjs --http COUNT serves them at /0/mcp … and prints
// `listening URL`; without it, one server uses stdio under --name. Each has `read`, `write` and `destroy`, which
// answer with the server's name and the arguments: after { ms } if given, and on stdio after { flood } long progress
// notifications. Every --storm milliseconds each announces --burst changes of its list; for one server in four
// something has changed. No dependencies.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    http: { type: 'string' },
    name: { type: 'string', default: 'stdio' },
    storm: { type: 'string', default: '0' },
    burst: { type: 'string', default: '50' },
  },
})

const tool = (name, readOnlyHint, destructiveHint) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint, destructiveHint, openWorldHint: false },
})
const TOOLS = [tool('read', true, false), tool('write', false, false), tool('destroy', false, true)]
const NOW_AND_THEN = tool('now_and_then', true, false)
const CHANGED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
const NOTE_BYTES = 200_000

let storms = 0

/** At each storm, the lists of another quarter of the servers change. */
function listOf(server) {
  const turn = storms + Number(server.split('-').at(-1))
  return Math.floor(turn / 4) % 2 === 0 ? TOOLS : [...TOOLS, NOW_AND_THEN]
}

async function answer(server, { id, method, params }, tell) {
  const reply = result => ({ jsonrpc: '2.0', id, result })
  if (method === 'initialize')
    return reply({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: server, version: '1' },
    })
  if (method === 'tools/list') return reply({ tools: listOf(server) })
  if (method !== 'tools/call')
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
  const { ms = 0, flood = 0, ...args } = params.arguments ?? {}
  const progressToken = params._meta?.progressToken
  for (let progress = 1; progress <= flood && progressToken !== undefined; progress += 1)
    tell({ progressToken, progress, message: `${args.mark}${'x'.repeat(NOTE_BYTES)}` })
  if (ms > 0) await new Promise(resolve => setTimeout(resolve, ms))
  return reply({ content: [{ type: 'text', text: JSON.stringify({ server, tool: params.name, ...args }) }] })
}

function storm(announce) {
  if (values.storm === '0') return
  setInterval(() => {
    storms += 1
    for (let times = 0; times < Number(values.burst); times += 1) announce()
  }, Number(values.storm)).unref()
}

function serveStdio() {
  storm(() => process.stdout.write(`${CHANGED}\n`))
  const say = message => process.stdout.write(`${JSON.stringify(message)}\n`)
  const tell = params => say({ jsonrpc: '2.0', method: 'notifications/progress', params })
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async line => {
    const message = JSON.parse(line)
    if (message.id === undefined || message.method === undefined) return
    say(await answer(values.name, message, tell))
  })
  lines.on('close', () => process.exit(0))
}

function serveHttp() {
  const streams = new Map()
  storm(() => {
    for (const stream of streams.values()) if (!stream.writableNeedDrain) stream.write(`data: ${CHANGED}\n\n`)
  })
  const handle = async (req, res, body) => {
    const server = `http-${req.url.split('/')[1]}`
    if (req.method === 'GET') {
      streams.set(server, res)
      return res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    }
    if (req.method === 'DELETE') return res.writeHead(200).end()
    const message = JSON.parse(body)
    if (message.id === undefined || message.method === undefined) return res.writeHead(202).end()
    const text = JSON.stringify(await answer(server, message, () => {}))
    res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': server }).end(text)
  }
  const listener = createServer((req, res) => {
    const chunks = []
    req.on('data', chunk => chunks.push(chunk))
    req.on('end', () => handle(req, res, Buffer.concat(chunks).toString('utf8')))
  })
  listener.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${listener.address().port}`))
  process.on('SIGTERM', () => process.exit(0))
}

if (values.http === undefined) serveStdio()
else serveHttp()
