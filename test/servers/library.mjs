// A stdio server with resources, templates, prompts, completions and apps from a file: node library.mjs --name NAME
// --report PORT:FILE --holdings FILE [--era legacy|modern]. The file has { tools, resources, templates, prompts,
// contents, results, silent }: `contents` by URI, `results` by tool, `silent` names methods without an answer. The
// command {"kind":"release"} announces a change of every resource that is watched, and {"kind":"forget"} changed lists.
// No dependencies.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createReporter } from './report.mjs'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'library' },
    report: { type: 'string' },
    holdings: { type: 'string' },
    era: { type: 'string', default: 'legacy' },
  },
})

const isModern = values.era === 'modern'
const read = () => JSON.parse(readFileSync(values.holdings, 'utf8'))
const META = 'io.modelcontextprotocol/'
const watched = new Set()
/** The ids of open subscriptions of the modern era. */
const streams = new Set()

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

function notify(method, params = {}) {
  if (!isModern) return send({ method, params })
  for (const id of streams) send({ method, params: { ...params, _meta: { [`${META}subscriptionId`]: id } } })
}

const report = createReporter(values.report, values.name, ({ kind }) => {
  if (kind === 'release') for (const uri of watched) notify('notifications/resources/updated', { uri })
  if (kind !== 'forget') return
  notify('notifications/resources/list_changed')
  notify('notifications/prompts/list_changed')
})

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
}
const serverInfo = { name: values.name, version: '1.0.0' }
const fail = (code, message, data) => ({ error: { code, message, data } })
const text = value => ({ content: [{ type: 'text', text: value }] })

const methods = {
  initialize: ({ protocolVersion }) => ({ result: { protocolVersion, capabilities, serverInfo } }),
  'server/discover': () => ({
    result: { supportedVersions: ['2026-07-28'], capabilities, _meta: { [`${META}serverInfo`]: serverInfo } },
  }),
  ping: () => ({ result: {} }),
  'tools/list': () => ({ result: { tools: read().tools ?? [] } }),
  'resources/list': () => ({ result: { resources: read().resources ?? [] } }),
  'resources/templates/list': () => ({ result: { resourceTemplates: read().templates ?? [] } }),
  'prompts/list': () => ({ result: { prompts: read().prompts ?? [] } }),
  'resources/read': ({ uri }) => {
    const found = read().contents?.[uri]
    if (found === undefined) return fail(-32002, 'Resource not found', { uri })
    return { result: { contents: [{ uri, mimeType: 'text/plain', ...found }] } }
  },
  'prompts/get': ({ name, arguments: args = {} }) => {
    const content = read().messages?.[name] ?? { type: 'text', text: `${name} ${JSON.stringify(args)}` }
    return { result: { messages: [{ role: 'user', content }] } }
  },
  'completion/complete': ({ ref, argument }) => ({
    result: { completion: { values: [`${ref.name ?? ref.uri} ${argument.value}`], hasMore: false } },
  }),
  'resources/subscribe': ({ uri }) => {
    watched.add(uri)
    return { result: {} }
  },
  'resources/unsubscribe': ({ uri }) => {
    watched.delete(uri)
    return { result: {} }
  },
  'tools/call': ({ name, arguments: args }) => {
    const tool = (read().tools ?? []).find(one => one.name === name)
    if (tool === undefined) return fail(-32602, 'no such tool')
    return { result: read().results?.[name] ?? text(JSON.stringify({ server: values.name, name, args })) }
  },
}

function listen({ id, params }) {
  const { notifications } = params
  streams.add(id)
  for (const uri of notifications.resourceSubscriptions ?? []) watched.add(uri)
  const _meta = { [`${META}subscriptionId`]: id }
  send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } })
}

function receive(line) {
  const message = JSON.parse(line)
  report('received', { raw: line, method: message.method, id: message.id })
  const { id, method, params = {} } = message
  if (method === 'notifications/cancelled') streams.delete(params.requestId)
  if (id === undefined || method === undefined || (read().silent ?? []).includes(method)) return
  if (isModern && method === 'subscriptions/listen') return listen(message)
  const isForeign = method === (isModern ? 'initialize' : 'server/discover')
  const answer = isForeign ? undefined : methods[method]?.(params)
  if (answer === undefined) return send({ id, ...fail(-32601, 'Method not found') })
  const extra = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}
  send({ id, ...(answer.result === undefined ? answer : { result: { ...extra, ...answer.result } }) })
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', chunk => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) receive(line)
})
process.stdin.on('end', () => process.exit(0))
