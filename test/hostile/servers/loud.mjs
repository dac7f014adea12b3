// A stdio server that sends too much: node loud.mjs. Its tools: `echo` answers with its arguments; `flood` writes log
// lines for `ms`, as fast as they are read, and answers with their number; `ask` sends `count` pings with ids of
// `length` and stops reading; `long` answers with `bytes` bytes, with its id last if the arguments say so; `wait`
// answers after `ms`. No dependencies.
import { createInterface } from 'node:readline'

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = value => ({ content: [{ type: 'text', text: value }] })
const lines = createInterface({ input: process.stdin })

const line = () =>
  `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"line ${Math.random()}"}}\n`

function flood(until, onOver, said = 0) {
  if (Date.now() >= until) return onOver(said)
  const some = Array.from({ length: 1000 }, line).join('')
  process.stdout.write(some, () => setImmediate(flood, until, onOver, said + 1000))
}

const tools = {
  echo: (answer, args) => answer(text(JSON.stringify(args))),
  flood: (answer, { ms }) => {
    flood(Date.now() + ms, said => answer(text(String(said))))
  },
  ask: (answer, { count, length }) => {
    answer(text('asked'))
    process.stdin.pause()
    process.stdin.removeAllListeners('data')
    for (let at = 0; at < count; at += 1) send({ id: 'p'.repeat(length) + at, method: 'ping' })
    // It keeps running after the end of its input.
    setInterval(() => {}, 1000)
  },
}

const longAnswer = (id, { bytes, isIdLast }) => {
  const result = text('x'.repeat(bytes))
  const message = isIdLast ? { result, jsonrpc: '2.0', id } : { jsonrpc: '2.0', id, result }
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
tools.wait = (answer, { ms }) => void setTimeout(() => answer(text('waited')), ms)
tools.long = () => {}

const listed = Object.keys(tools).map(name => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
}))

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'loud', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: listed }),
  'logging/setLevel': () => ({}),
}

lines.on('line', line => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  if (method === 'tools/call' && params.name === 'long') return longAnswer(id, params.arguments)
  if (method === 'tools/call')
    return tools[params.name](result => send({ id, result }), params.arguments ?? {})
  const known = methods[method]
  send(known === undefined ? { id, error: { code: -32601, message: 'no' } } : { id, result: known(params) })
})
lines.on('close', () => process.exit(0))
