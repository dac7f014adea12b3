// A stdio server whose lists change: node liar.mjs --name NAME --report PORT:FILE --script FILE [--era
// legacy|modern]. The file has { starts: [{ pages, prompts, instructions, clients }] }: the lists after its first
// start, its second, and so on; the last entry is used for all later starts. `clients` has other pages by the name of
// a client. Tools act by their name: `hold` waits for the command {"kind":"release"}, `leave` ends the process after
// its answer, `storm` announces { count } changes within { ms }, all others answer. No dependencies.
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createReporter } from './report.mjs'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'liar' },
    report: { type: 'string' },
    script: { type: 'string' },
    era: { type: 'string', default: 'legacy' },
  },
})

const isModern = values.era === 'modern'
const counter = `${values.script}.starts`
appendFileSync(counter, '.')
const start = statSync(counter).size - 1
const waiting = []

/** Read each time, because a server need not announce a change. */
function said() {
  const { starts } = JSON.parse(readFileSync(values.script, 'utf8'))
  return starts[Math.min(start, starts.length - 1)]
}

const report = createReporter(values.report, values.name, ({ kind }) => {
  if (kind === 'release') for (const release of waiting.splice(0)) release()
  if (kind === 'tools') announce()
})

const send = message => process.stdout.write(`${JSON.stringify(message)}\n`)
const announce = () => send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
const answer = (id, result) =>
  send({ jsonrpc: '2.0', id, result: isModern ? { resultType: 'complete', ...result } : result })
const text = value => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })

/** As evenly as a timer allows. */
function storm({ count = 0, ms = 1000 }) {
  const startedAt = Date.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(count, Math.floor((count * (Date.now() - startedAt)) / ms))
    for (; sent < due; sent++) announce()
    if (sent >= count) clearInterval(timer)
  }, 5)
}

const does = {
  hold: (id, args) => {
    waiting.push(() => answer(id, text({ held: args })))
    report('hanging', { id, args })
  },
  leave: id => {
    answer(id, text('gone'))
    setTimeout(() => process.exit(0), 20)
  },
  storm: (id, args) => {
    answer(id, text('it begins'))
    storm(args)
  },
}

function listTools(id, params) {
  const { pages = [], clients = {} } = said()
  const client = params?._meta?.['io.modelcontextprotocol/clientInfo']?.name ?? greeted
  const own = clients[client] ?? pages
  const page = Number(params?.cursor ?? 0)
  const isLast = page >= own.length - 1
  const extra = isModern ? { ttlMs: 0, cacheScope: 'private' } : {}
  answer(id, { ...extra, tools: own[page] ?? [], ...(isLast ? {} : { nextCursor: String(page + 1) }) })
}

let greeted = ''
const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {} }
const serverInfo = { name: values.name, version: '1.0.0' }
const instructionsOf = () => {
  const { instructions } = said()
  return instructions === undefined ? {} : { instructions }
}

const methods = {
  initialize: (id, params) => {
    greeted = params.clientInfo.name
    answer(id, { protocolVersion: params.protocolVersion, capabilities, serverInfo, ...instructionsOf() })
  },
  'server/discover': id =>
    answer(id, {
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      ...instructionsOf(),
    }),
  ping: id => answer(id, {}),
  'tools/list': listTools,
  'tools/call': (id, { name, arguments: args }) =>
    (does[name] ?? (() => answer(id, text({ server: values.name, start, tool: name }))))(id, args),
  'prompts/list': id => answer(id, { prompts: said().prompts ?? [] }),
  'prompts/get': (id, { name }) =>
    answer(id, { messages: [{ role: 'user', content: { type: 'text', text: `The prompt ${name}.` } }] }),
  'resources/templates/list': id => answer(id, { resourceTemplates: said().templates ?? [] }),
}

function receive(line) {
  const { id, method, params } = JSON.parse(line)
  report('received', { raw: line, method, id })
  if (id === undefined || method === undefined) return
  const isForeign = method === (isModern ? 'initialize' : 'server/discover')
  const known = isForeign ? undefined : methods[method]
  if (known === undefined) send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  else known(id, params)
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', chunk => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) receive(line)
})
process.stdin.on('end', () => process.exit(0))
