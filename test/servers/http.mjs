// An HTTP server: node http.mjs --name NAME --report PORT:FILE [--era legacy|modern] [--odd FILE --result FILE]
// [--mute METHOD]. Prints `listening URL`. The command {"kind":"forget"} ends all sessions. No dependencies.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { createBehaviour } from './behaviour.mjs'
import { createReporter } from './report.mjs'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'http' },
    report: { type: 'string' },
    era: { type: 'string', default: 'legacy' },
    odd: { type: 'string' },
    result: { type: 'string' },
    mute: { type: 'string', multiple: true },
  },
})

const sessions = new Set()
let standalone
const report = createReporter(values.report, values.name, command => {
  if (command.kind === 'forget') sessions.clear()
  behaviour.command(command)
})
const behaviour = createBehaviour({ era: values.era, report, options: values })

/** The answer is JSON unless there is more than one message. */
function createReply(id, res, isStream) {
  const frame = text => res.write(`event: message\ndata: ${text}\n\n`)
  let isOpen = false
  const raw = text => {
    const isAnswer =
      JSON.parse(JSON.stringify(text)).includes(`"id":${JSON.stringify(id)}`) && !text.includes('"method"')
    if (!isStream && !isOpen && isAnswer)
      return res.writeHead(200, { 'content-type': 'application/json' }).end(text)
    if (!isOpen) res.writeHead(200, { 'content-type': 'text/event-stream' })
    isOpen = true
    frame(text)
    if (isAnswer) res.end()
  }
  return {
    raw,
    send: message => raw(JSON.stringify(message)),
    bytes: part => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.write(part)
    },
    out: message => standalone?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    onGone: listener => res.once('close', () => listener()),
  }
}

const refuse = (res, status, code, message) =>
  res
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))

function handle(req, res, body) {
  const { headers, method, url } = req
  report('request', { method, url, headers })
  const session = headers['mcp-session-id']
  const isLegacy = values.era === 'legacy'
  if (isLegacy && session !== undefined && !sessions.has(session))
    return refuse(res, 404, -32001, 'Session not found')
  if (method === 'GET') {
    if (!isLegacy) return res.writeHead(405).end()
    standalone = res
    res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    return
  }
  if (method === 'DELETE') {
    sessions.delete(session)
    return res.writeHead(200).end()
  }
  const message = JSON.parse(body)
  if (message.method === 'initialize' && isLegacy) {
    const id = randomUUID()
    sessions.add(id)
    res.setHeader('mcp-session-id', id)
  } else if (isLegacy && session === undefined) return refuse(res, 400, -32000, 'Bad Request: no session')
  const isStream = message.method === 'tools/call' && message.params?.name === 'progress'
  behaviour.receive(body, createReply(message.id, res, isStream), { headers })
  if (message.id === undefined || message.method === undefined) res.writeHead(202).end()
}

const server = createServer((req, res) => {
  const chunks = []
  req.on('data', chunk => chunks.push(chunk))
  req.on('end', () => handle(req, res, Buffer.concat(chunks).toString('utf8')))
})
server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${server.address().port}/mcp`))
process.on('SIGTERM', () => process.exit(0))
