// A stdio server with tools from a file: node scripted.mjs --name NAME --report PORT:FILE --tools FILE [--era
// legacy|modern]. The file has [{ definition, does, result }]; `does` is one of `behaviours` below. The command
// {"kind":"tools"} reads the file again and announces the change. No dependencies.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createReporter } from './report.mjs'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'scripted' },
    report: { type: 'string' },
    tools: { type: 'string' },
    era: { type: 'string', default: 'legacy' },
  },
})

const isModern = values.era === 'modern'
const held = new Map()
const raw = text => process.stdout.write(`${text}\n`)
const send = message => raw(JSON.stringify(message))
const readTools = () => JSON.parse(readFileSync(values.tools, 'utf8'))
let tools = readTools()

const report = createReporter(values.report, values.name, ({ kind }) => {
  if (kind === 'release') for (const id of [...held.keys()]) release(id)
  if (kind !== 'tools') return
  tools = readTools()
  send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
})

function release(id) {
  held.get(id)?.()
  held.delete(id)
}

/** The result is not parsed, so it is sent exactly as it is in the file. */
function answer(id, result) {
  const extra = isModern ? '"resultType":"complete",' : ''
  raw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${extra}${JSON.stringify(result).slice(1)}}`)
}

const text = value => ({ content: [{ type: 'text', text: value }] })

const behaviours = {
  answer: ({ message, entry }) =>
    answer(
      message.id,
      entry.result ??
        text(
          JSON.stringify({
            server: values.name,
            tool: message.params.name,
            arguments: message.params.arguments,
          }),
        ),
    ),
  /** Waits for the command `release`, and answers how many calls are waiting. */
  hold: ({ message }) => {
    held.set(message.id, () => answer(message.id, text(JSON.stringify(message.params.arguments))))
    report('hanging', { id: message.id, args: { ...message.params.arguments, together: held.size } })
  },
  /** Sends progress, and then acts like `hold`. */
  progress: ({ message }) => {
    const { arguments: args, _meta: meta } = message.params
    for (const progress of args.steps) {
      const params = { progressToken: meta?.progressToken, progress, total: args.total }
      send({ jsonrpc: '2.0', method: 'notifications/progress', params })
    }
    behaviours.hold({ message })
  },
  /** Modern: asks for input first, and answers with that input. */
  ask: ({ message }) => {
    const { requestState, inputResponses } = message.params
    if (requestState !== undefined)
      return answer(message.id, text(JSON.stringify({ requestState, inputResponses })))
    const params = {
      mode: 'form',
      message: 'which one?',
      requestedSchema: { type: 'object', properties: {} },
    }
    const inputRequests = { which: { method: 'elicitation/create', params } }
    const result = { resultType: 'input_required', inputRequests, requestState: 'state of the server' }
    send({ jsonrpc: '2.0', id: message.id, result })
  },
  fail: ({ message }) => answer(message.id, { ...text('it failed'), isError: true }),
  error: ({ message }) =>
    send({ jsonrpc: '2.0', id: message.id, error: { code: -32123, message: 'own error' } }),
}

const capabilities = { tools: { listChanged: true } }
const methods = {
  initialize: ({ id, params }) =>
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities,
      serverInfo: { name: values.name, version: '1.0.0' },
    }),
  'server/discover': ({ id }) =>
    answer(id, {
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: values.name, version: '1.0.0' } },
    }),
  ping: ({ id }) => answer(id, {}),
  'tools/list': ({ id }) =>
    answer(id, {
      ...(isModern ? { ttlMs: 0, cacheScope: 'private' } : {}),
      tools: tools.map(entry => entry.definition),
    }),
  'tools/call': message => {
    const entry = tools.find(({ definition }) => definition.name === message.params.name)
    if (entry === undefined)
      send({ jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'no such tool' } })
    else behaviours[entry.does ?? 'answer']({ message, entry })
  },
}

function receive(line) {
  const message = JSON.parse(line)
  report('received', { raw: line, method: message.method, id: message.id })
  if (message.method === 'notifications/cancelled') {
    if (held.delete(message.params.requestId))
      report('cancelled', { id: message.params.requestId, how: 'notified' })
    return
  }
  if (message.id === undefined || message.method === undefined) return
  const isForeign = message.method === (isModern ? 'initialize' : 'server/discover')
  const method = isForeign ? undefined : methods[message.method]
  if (method === undefined)
    send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } })
  else method(message)
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', chunk => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) receive(line)
})
process.stdin.on('end', () => process.exit(0))
