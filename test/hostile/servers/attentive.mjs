// A legacy stdio server with a log level and resources that can be watched: node attentive.mjs. Its tools: `work`
// logs one line of every level from the set level on, and answers with that level; `watched` answers with the watched
// addresses. A request to watch `x://hang/...` gets no answer. No dependencies.
import { createInterface } from 'node:readline'

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = value => ({ content: [{ type: 'text', text: value }] })
const annotations = { readOnlyHint: true, openWorldHint: false }
const watched = []
let level = 'warning'

const tools = {
  work: () => {
    for (const grave of LEVELS.slice(LEVELS.indexOf(level)))
      send({ method: 'notifications/message', params: { level: grave, data: grave } })
    return text(level)
  },
  watched: () => text(JSON.stringify(watched)),
}

const methods = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    serverInfo: { name: 'attentive', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(tools).map(name => ({ name, inputSchema: { type: 'object' }, annotations })),
  }),
  'tools/call': ({ name }) => tools[name]?.(),
  'logging/setLevel': params => {
    level = params.level
    return {}
  },
  'resources/subscribe': ({ uri }) => {
    watched.push(uri)
    return uri.startsWith('x://hang/') ? undefined : {}
  },
  'resources/unsubscribe': () => ({}),
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  if (methods[method] === undefined) return send({ id, error: { code: -32601, message: 'no' } })
  const result = methods[method](params)
  if (result !== undefined) send({ id, result })
})
