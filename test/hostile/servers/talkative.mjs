// A stdio server that can send messages without being asked: node talkative.mjs --name NAME --report PORT:FILE. It
// asks for roots whenever a change of them is announced, and reports every answer. Its tools: `hold` waits for the
// command {"kind":"release"}; `say_later` answers and then writes a log line; `ask_later` asks a question after a
// while, even if the call was cancelled; `roots` answers with the roots that it received; `leak` sends `text` as
// progress, log line and question; `odd` and `odd_write` answer with the members in `answer`; `tell` sends the
// `messages` first; `shout` sends the given notification; `ask_many` asks many questions at once, and answers once
// all but some are answered. With --hello it describes itself by that JSON; with TOOLS in its environment it lists
// those tools. A request for its prompts with `say` makes it send that text in every possible way. Any other request
// with `error` in its parameters gets that error, and with `also` gets those members in addition. No dependencies.
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createReporter } from '../../servers/report.mjs'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'talkative' },
    report: { type: 'string' },
    hello: { type: 'string', default: '{}' },
  },
})

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = value => ({ content: [{ type: 'text', text: value }] })
const held = []
const asked = new Map()
const report = createReporter(values.report, values.name, ({ kind }) => {
  if (kind === 'release') for (const release of held.splice(0)) release()
})

function ask(method, params, onAnswer) {
  const id = `q${asked.size + 1}`
  asked.set(id, answer => {
    report('received', { method: `answer to ${method}`, raw: JSON.stringify(answer) })
    onAnswer?.(answer)
  })
  send({ id, method, params })
}

const form = message => ({
  message,
  requestedSchema: { type: 'object', properties: { n: { type: 'string' } } },
})
const log = data => send({ method: 'notifications/message', params: { level: 'info', data } })

const tools = {
  echo: (answer, args) => answer(text(JSON.stringify(args))),
  hold: (answer, args) => {
    held.push(() => answer(text('released')))
    report('hanging', { args })
  },
  say_later: (answer, { say, after }) => {
    answer(text('said'))
    setTimeout(log, after, say)
  },
  ask_later: (answer, { question, after }) =>
    setTimeout(
      () => ask('elicitation/create', form(question), said => answer(text(JSON.stringify(said)))),
      after,
    ),
  odd: (_answer, args, _token, id) => send({ id, ...args.answer }),
  odd_write: (_answer, args, _token, id) => send({ id, ...args.answer }),
  tell: (answer, { messages }) => {
    for (const message of messages) send(message)
    answer(text('told'))
  },
  shout: (answer, { method, params, zeros }) => {
    send({ method, params: { ...params, ...(zeros === undefined ? {} : { zeros: Array(zeros).fill(0) }) } })
    answer(text('shouted'))
  },
  ask_many: (answer, { times, open }) => {
    let left = times - open
    for (let n = 0; n < times; n++)
      ask('elicitation/create', form('?'), () => {
        left -= 1
        if (left === 0) answer(text('enough'))
      })
  },
  roots: answer => ask('roots/list', undefined, said => answer(text(JSON.stringify(said)))),
  leak: (answer, args, token) => {
    send({
      method: 'notifications/progress',
      params: { progressToken: token, progress: 1, message: args.text },
    })
    log(args.text)
    ask('elicitation/create', form(args.text), () => answer(text('asked')))
  },
}

const listed = Object.keys(tools).map(name => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: name !== 'odd_write', destructiveHint: false, openWorldHint: false },
}))

const methods = {
  initialize: ({ protocolVersion, capabilities }) => {
    report('received', { method: 'capabilities', raw: JSON.stringify(capabilities) })
    return {
      protocolVersion,
      capabilities: {
        tools: {},
        prompts: {},
        completions: {},
        logging: {},
        resources: { subscribe: true },
      },
      serverInfo: { name: values.name, version: '1' },
      ...JSON.parse(values.hello),
    }
  },
  ping: () => ({}),
  'tools/list': () => ({ tools: process.env.TOOLS === undefined ? listed : JSON.parse(process.env.TOOLS) }),
  'prompts/list': () => ({ prompts: [{ name: 'p1' }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'the prompt' } }] }),
  'completion/complete': () => ({ completion: { values: ['completed'] } }),
  'resources/list': () => ({ resources: [{ uri: 'note://listed', name: 'listed' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'note' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'the note' }] }),
  'logging/setLevel': () => ({}),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'admin/wipe': () => ({ wiped: true }),
}

function speak(said, progressToken) {
  send({ method: 'notifications/progress', params: { progressToken, progress: 1, message: said } })
  log(said)
  send({ method: 'notifications/prompts/list_changed', params: { said } })
  send({ method: 'notifications/resources/updated', params: { uri: 'note://listed', said } })
  ask('elicitation/create', form(said))
}

function receive(line) {
  const { jsonrpc: _, id, method, params = {}, ...answer } = JSON.parse(line)
  if (method === undefined) return asked.get(id)?.(answer)
  report('received', { method, id, raw: line })
  if (method === 'notifications/roots/list_changed') return ask('roots/list')
  if (id === undefined) return
  if (method === 'tools/call') {
    const tool = tools[params.name]
    return tool(result => send({ id, result }), params.arguments ?? {}, params._meta?.progressToken, id)
  }
  if (params.uri?.startsWith('note://error '))
    return send({ id, error: { code: -32002, message: `not found: ${params.uri}` } })
  if (params.error !== undefined) return send({ id, error: params.error })
  if (method === 'prompts/list' && params.say !== undefined) speak(params.say, params._meta?.progressToken)
  const known = methods[method]
  if (known === undefined) return send({ id, error: { code: -32601, message: 'no such method' } })
  // Each answer takes a moment, so many requests have to wait.
  if (method === 'resources/subscribe') setTimeout(() => send({ id, result: {} }), 2)
  else send({ id, result: { ...known(params), ...params.also } })
  if (method === 'resources/unsubscribe') send({ method: 'notifications/resources/updated', params })
}

createInterface({ input: process.stdin })
  .on('line', receive)
  .on('close', () => process.exit(0))
