// The behaviour of the test servers, for any transport. Bodies can be raw text, so that tests can follow every byte.
// No dependencies.
import { readFileSync } from 'node:fs'

const READS = { readOnlyHint: true, openWorldHint: false }
const tool = (name, annotations = READS) => ({
  name,
  description: `The test tool ${name}.`,
  inputSchema: { type: 'object' },
  annotations,
})

const TOOLS = [
  ...['echo', 'pid', 'env', 'hang', 'progress', 'big', 'ask', 'log', 'fail', 'garbage', 'half'].map(name =>
    tool(name),
  ),
  ...['duplicate', 'unknown_id', 'exit', 'huge', 'error', 'watch'].map(name => tool(name)),
  tool('die_writing', { readOnlyHint: false, destructiveHint: false }),
  tool('write', { readOnlyHint: false, destructiveHint: false }),
  {
    ...tool('destroy', { readOnlyHint: false, destructiveHint: true }),
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
]

const text = value => ({ content: [{ type: 'text', text: value }] })
const META = 'io.modelcontextprotocol/'

/**
 * `reply` receives the answer to one request: `send` for JSON, `raw` for unchanged text. `options.odd` names files
 * with the raw JSON of one more tool and of its result.
 */
export function createBehaviour({ era, report, options = {} }) {
  const isModern = era === 'modern'
  const hanging = new Map()
  const asked = new Map()
  const state = { tools: TOOLS, next: 1 }
  const odd = options.odd === undefined ? undefined : readFileSync(options.odd, 'utf8')
  const oddResult = options.result === undefined ? undefined : readFileSync(options.result, 'utf8')

  const complete = (method, result) => {
    if (!isModern) return result
    const isList = method.endsWith('/list') || method === 'resources/read' || method === 'server/discover'
    return { resultType: 'complete', ...(isList ? { ttlMs: 0, cacheScope: 'private' } : {}), ...result }
  }

  function answer(message, reply, result) {
    reply.send({ jsonrpc: '2.0', id: message.id, result: complete(message.method, result) })
  }

  function fail(message, reply, code, why) {
    reply.send({ jsonrpc: '2.0', id: message.id, error: { code, message: why } })
  }

  const methods = {
    initialize: (message, reply) =>
      answer(message, reply, {
        protocolVersion: message.params.protocolVersion,
        capabilities: capabilities(),
        serverInfo: { name: 'test-server', version: '1.0.0' },
        instructions: 'Be careful.',
      }),
    'server/discover': (message, reply) =>
      answer(message, reply, {
        supportedVersions: ['2026-07-28'],
        capabilities: capabilities(),
        _meta: { [`${META}serverInfo`]: { name: 'test-server', version: '1.0.0' } },
      }),
    ping: (message, reply) => answer(message, reply, {}),
    'logging/setLevel': (message, reply) => answer(message, reply, {}),
    'resources/subscribe': (message, reply) => answer(message, reply, {}),
    'resources/unsubscribe': (message, reply) => answer(message, reply, {}),
    'resources/list': (message, reply) =>
      answer(message, reply, { resources: [{ uri: 'test://one', name: 'one' }] }),
    'tools/list': (message, reply) => {
      const list = JSON.stringify(state.tools).slice(0, -1)
      const extra = isModern ? ',"resultType":"complete","ttlMs":0,"cacheScope":"private"' : ''
      const tools = odd === undefined ? `${list}]` : `${list},${odd}]`
      reply.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"tools":${tools}${extra}}}`)
    },
    'tools/call': (message, reply) => call(message, reply),
  }

  function capabilities() {
    return { logging: {}, tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } }
  }

  const behaviours = {
    echo: (args, message, reply) =>
      answer(message, reply, { ...text(JSON.stringify(args)), structuredContent: args }),
    pid: (_args, message, reply) => answer(message, reply, text(String(process.pid))),
    env: (_args, message, reply) => answer(message, reply, text(JSON.stringify(process.env))),
    write: (args, message, reply) => answer(message, reply, text(`wrote ${JSON.stringify(args)}`)),
    destroy: (_args, message, reply) => answer(message, reply, text('destroyed')),
    error: (_args, message, reply) =>
      reply.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32123, message: 'own error', data: { why: 'x' } },
      }),
    fail: (_args, message, reply) => answer(message, reply, { ...text('it failed'), isError: true }),
    hang: (args, message, reply) => {
      hanging.set(message.id, () => answer(message, reply, text(`released ${JSON.stringify(args)}`)))
      reply.onGone?.(() => cancelled(message.id, 'closed'))
      report('hanging', { id: message.id, args })
    },
    async progress(args, message, reply) {
      const token = message.params._meta?.progressToken
      for (let step = 1; step <= args.steps; step++) {
        const params = {
          progressToken: token,
          progress: step,
          total: args.steps,
          message: `${args.name} ${step}`,
        }
        reply.send({ jsonrpc: '2.0', method: 'notifications/progress', params })
        await new Promise(resolve => setImmediate(resolve))
      }
      const finish = () => answer(message, reply, text(`done ${args.name}`))
      if (args.hold === undefined) return finish()
      hanging.set(message.id, finish)
      report('hanging', { id: message.id, args })
    },
    log: (args, message, reply) => {
      for (const level of args.levels) {
        reply.send({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level, data: `a ${level} line` },
        })
      }
      answer(message, reply, text('logged'))
    },
    big: (args, message, reply) => {
      const head = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":[{"type":"text","text":"`
      reply.raw(`${head}${'x'.repeat(args.bytes)}"}]${isModern ? ',"resultType":"complete"' : ''}}}`)
    },
    huge: (args, message, reply) => behaviours.big(args, message, reply),
    /** Asks the client something during the call, and answers with the client's answer. */
    ask: (args, message, reply) => {
      const id = `q${state.next++}`
      asked.set(id, said =>
        answer(message, reply, text(JSON.stringify(said.result ?? { error: said.error }))),
      )
      reply.send({
        jsonrpc: '2.0',
        id,
        method: args.method,
        ...(args.params === undefined ? {} : { params: args.params }),
      })
    },
    watch: (args, message, reply) => {
      for (let times = args.times ?? 1; times > 0; times--)
        reply.out?.({
          jsonrpc: '2.0',
          method: args.method,
          ...(args.params === undefined ? {} : { params: args.params }),
        })
      answer(message, reply, text('told'))
    },
    garbage: (_args, message, reply) => {
      for (const line of [
        'this is not JSON',
        '{"jsonrpc":"2.0","id":',
        '[]',
        'null',
        '42',
        '{"id":1}',
        '\u0000\ufffd',
      ])
        reply.raw(line)
      answer(message, reply, text('after the garbage'))
    },
    half: (_args, message, reply) => {
      reply.bytes?.(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":[`)
      report('half')
    },
    duplicate: (args, message, reply) => {
      answer(message, reply, text(`first ${JSON.stringify(args)}`))
      for (let times = 0; times < 3; times++) answer(message, reply, text('second'))
    },
    unknown_id: (_args, message, reply) => {
      for (const id of [999_999, 'nobody', -1, 0, 1e300]) {
        reply.send({ jsonrpc: '2.0', id, result: text('for nobody') })
      }
      answer(message, reply, text('for you'))
    },
    exit: () => {
      process.stderr.write('cannot go on\n')
      process.stderr.write('the disk is full\n', () => process.exit(3))
    },
    die_writing: () => process.exit(4),
    odd: (_args, message, reply) =>
      reply.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${oddResult}}`),
  }

  function call(message, reply) {
    const behaviour = behaviours[message.params?.name]
    if (behaviour === undefined) return fail(message, reply, -32602, `Unknown tool: ${message.params?.name}`)
    return behaviour(message.params.arguments ?? {}, message, reply)
  }

  function cancelled(id, how) {
    if (!hanging.delete(id)) return
    report('cancelled', { id, how })
  }

  return {
    /** `raw` is the message as received, for tests. */
    receive(raw, reply, facts = {}) {
      const message = JSON.parse(raw)
      report('received', { raw, method: message.method, id: message.id, ...facts })
      if (options.mute?.includes(message.method)) return
      if (message.method === undefined) {
        asked.get(message.id)?.(message)
        return
      }
      if (message.method === 'notifications/cancelled') return cancelled(message.params.requestId, 'notified')
      if (message.id === undefined) return
      const isForeign = isModern ? message.method === 'initialize' : message.method === 'server/discover'
      const method = isForeign ? undefined : methods[message.method]
      if (method === undefined) fail(message, reply, -32601, 'Method not found')
      else method(message, reply)
    },
    command({ kind, tools }) {
      if (kind === 'release') {
        for (const answerNow of hanging.values()) answerNow()
        hanging.clear()
      }
      if (kind === 'tools') state.tools = [...TOOLS, ...tools.map(name => tool(name))]
    },
    get hanging() {
      return hanging.size
    },
  }
}
