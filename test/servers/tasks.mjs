// A modern server that answers calls with tasks of its own, by hand, because the SDK has no tasks. The first tools are
// those that the official conformance suite expects.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const VERSION = '2026-07-28'
const PREFIX = 'io.modelcontextprotocol/'
const TASKS = `${PREFIX}tasks`
const NEEDED = {
  code: -32021,
  message: 'Missing required client capability',
  data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
}
const READS = { readOnlyHint: true, destructiveHint: false, openWorldHint: true }
const said = content => ({ resultType: 'complete', content: [{ type: 'text', text: content }] })

/** Each tool gets its arguments and the task that runs it, and returns the result. */
const TOOLS = {
  greet: { sync: ({ name }) => said(`Hello, ${name}!`) },
  slow_compute: {
    isQuick: ({ seconds }) => seconds === 0,
    run: async ({ seconds = 0, label = '' }, { signal }) => {
      await sleep(seconds * 1000, undefined, { signal })
      return said(`computed ${label}`)
    },
  },
  failing_job: {
    isRequired: true,
    run: async () => {
      await sleep(300)
      return { ...said('the job failed'), isError: true }
    },
  },
  protocol_error_job: {
    isRequired: true,
    run: async () => {
      await sleep(100)
      throw new Error('the job crashed')
    },
  },
  confirm_delete: {
    run: async ({ filename }, task) => {
      const [answer] = await task.ask({ confirm: question(`Delete ${filename}?`) })
      return said(`${filename}: ${answer.action}`)
    },
  },
  multi_input: {
    run: async (_, task) => {
      const answers = await task.ask({ first: question('First?'), second: question('Second?') })
      return said(`answers: ${answers.length}`)
    },
  },
  test_tool_with_task: {
    isRequired: true,
    first: { user_name: question('Your name?') },
    run: async (_, task) => said(`Hello, ${task.answers?.user_name?.content?.name}!`),
  },
  /** Finishes when `finish` is called, with the text that it was given. */
  later: {
    run: async ({ text: words, note }, task) => {
      task.note = note
      return said(await new Promise(resolve => held.set(words, () => resolve(words))))
    },
  },
  finish: {
    sync: ({ text: words }) => {
      held.get(words)?.()
      return said(held.delete(words) ? 'finished' : 'there is none')
    },
  },
  /** Declares an output that its late result does not have. */
  typed: {
    output: { type: 'object', required: ['sum'], properties: { sum: { type: 'integer' } } },
    run: async () => ({ ...said('wrong'), structuredContent: { sum: 'seven' } }),
  },
  destroy: {
    annotations: { ...READS, readOnlyHint: false, destructiveHint: true },
    run: async ({ id }) => {
      executed.push(id)
      return said(`destroyed ${id}`)
    },
  },
  /** Makes a task even for a client that does not know tasks, which the extension forbids. */
  rude: { isRude: true, run: async () => said('rude') },
  executed: { sync: () => said(JSON.stringify(executed)) },
}

const held = new Map()
const executed = []
const tasks = new Map()

function question(message) {
  const name = { type: 'string' }
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { name } } },
  }
}

class Task {
  id = randomUUID()
  at = new Date().toISOString()
  status = 'working'
  note
  requests = {}
  #given = {}
  #onAnswered
  #aborting = new AbortController()
  signal = this.#aborting.signal

  constructor(tool, args, answers) {
    this.answers = answers
    tasks.set(this.id, this)
    this.#run(tool, args)
  }

  async #run(tool, args) {
    try {
      this.result = await tool.run(args, this)
      this.#end('completed')
    } catch (error) {
      this.error = { code: -32603, message: error.message }
      this.#end('failed')
    }
  }

  #end(status) {
    if (this.status !== 'cancelled') this.status = status
  }

  ask(requests) {
    this.requests = requests
    this.status = 'input_required'
    return new Promise(resolve => {
      this.#onAnswered = () => resolve(Object.keys(requests).map(key => this.#given[key]))
    })
  }

  update(responses) {
    for (const [key, response] of Object.entries(responses)) {
      if (this.requests[key] === undefined) continue
      this.#given[key] = response
      const { [key]: _, ...rest } = this.requests
      this.requests = rest
    }
    if (this.status !== 'input_required' || Object.keys(this.requests).length > 0) return
    this.status = 'working'
    this.#onAnswered()
  }

  cancel() {
    if (!['working', 'input_required'].includes(this.status)) return
    this.status = 'cancelled'
    this.#aborting.abort()
  }

  get described() {
    return {
      taskId: this.id,
      status: this.status,
      ...(this.note && { statusMessage: this.note }),
      createdAt: this.at,
      lastUpdatedAt: new Date().toISOString(),
      ttlMs: 600_000,
      pollIntervalMs: 100,
    }
  }

  get detailed() {
    const more = {
      working: {},
      cancelled: {},
      input_required: { inputRequests: this.requests },
      completed: { result: this.result },
      failed: { error: this.error },
    }
    return { resultType: 'complete', ...this.described, ...more[this.status] }
  }
}

const METHODS = {
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: [VERSION],
    capabilities: { tools: {}, extensions: { [TASKS]: {} } },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [`${PREFIX}serverInfo`]: { name: 'tasks', version: '1' } },
  }),
  'tools/list': () => ({ resultType: 'complete', tools: listTools(), ttlMs: 0, cacheScope: 'private' }),
  'tools/call': (params, knows) => callTool(params, knows),
  'tasks/get': (params, knows) => taskOf(params, knows).detailed,
  'tasks/update': (params, knows) => {
    taskOf(params, knows).update(params.inputResponses)
    return { resultType: 'complete' }
  },
  'tasks/cancel': (params, knows) => {
    taskOf(params, knows).cancel()
    return { resultType: 'complete' }
  },
}

function listTools() {
  return Object.entries(TOOLS).map(([name, { annotations = READS, output }]) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' },
    annotations,
    ...(output && { outputSchema: output }),
  }))
}

function callTool({ name, arguments: args = {}, inputResponses }, knows) {
  const tool = TOOLS[name]
  if (tool === undefined) throw { code: -32602, message: 'unknown tool' }
  if (tool.sync !== undefined) return tool.sync(args)
  if (tool.isRequired && !knows) throw NEEDED
  if (tool.first !== undefined && inputResponses === undefined)
    return { resultType: 'input_required', inputRequests: tool.first, requestState: 'first' }
  if ((!knows && !tool.isRude) || tool.isQuick?.(args))
    return tool.run(args, { signal: new AbortController().signal })
  return { resultType: 'task', ...new Task(tool, args, inputResponses).described }
}

function taskOf({ taskId }, knows) {
  if (!knows) throw NEEDED
  const task = tasks.get(taskId)
  if (task === undefined) throw { code: -32602, message: 'Task not found' }
  return task
}

async function answer(req, { id, method, params = {} }) {
  const name = params.name ?? (METHODS[method] && params.taskId)
  const isWrong =
    req.headers['mcp-method'] !== method || (name !== undefined && req.headers['mcp-name'] !== name)
  if (isWrong) return { id, error: { code: -32020, message: 'the headers and the body disagree' } }
  const capabilities = params._meta?.[`${PREFIX}clientCapabilities`]
  try {
    if (METHODS[method] === undefined) throw { code: -32601, message: 'Method not found' }
    return { id, result: await METHODS[method](params, capabilities?.extensions?.[TASKS] !== undefined) }
  } catch (error) {
    return { id, error: { code: -32603, message: error.message, ...error } }
  }
}

const STATUS = new Map([
  [-32020, 400],
  [-32021, 400],
  [-32601, 404],
])

const server = createServer(async (req, res) => {
  if (req.method !== 'POST') return void res.writeHead(405).end()
  const message = JSON.parse(await text(req))
  if (message.id === undefined) return void res.writeHead(202).end()
  const answered = await answer(req, message)
  res.writeHead(STATUS.get(answered.error?.code) ?? 200, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ jsonrpc: '2.0', ...answered }))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}/mcp\n`)
})
