// `node scripts/newcomer.mjs`: the first hour of a new user, in a fresh home folder, with the commands of the README
// only. Prints the duration of each step. All steps together must take less than two minutes.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makePeersReady } from '../test/peers/ready.mjs'
import { ROOT } from './ready.mjs'

const LIMIT_MS = 120_000
const BIN = join(ROOT, 'packages/gateway/bin/hintgate.js')
const SERVERS = join(ROOT, 'test/peers/node_modules/@modelcontextprotocol')

await makePeersReady()
const folder = mkdtempSync(join(tmpdir(), 'hintgate-newcomer-'))
const home = join(folder, 'home')
const documents = join(folder, 'documents')
const env = {
  ...process.env,
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: '',
  APPDATA: '',
  HINTGATE_CONFIG: '',
}
const running = []
const began = performance.now()

try {
  await play()
  const took = performance.now() - began
  if (took > LIMIT_MS) throw new Error(`it took ${seconds(took)}, more than two minutes`)
  console.log(`\nDone in ${seconds(took)}.`)
} catch (error) {
  console.error(`\n${error.message}`)
  process.exitCode = 1
} finally {
  for (const child of running) await stop(child)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function play() {
  mkdirSync(join(home, '.cursor'), { recursive: true })
  mkdirSync(documents)
  writeFileSync(join(documents, 'plan.txt'), 'Buy milk')
  const clientConfig = join(home, '.cursor/mcp.json')
  writeFileSync(clientConfig, JSON.stringify({ mcpServers: theirServers() }, null, 2))

  await step('npm start runs the demo', async () => {
    const demo = start([join(ROOT, 'scripts/start.mjs'), '--listen', '127.0.0.1:0'])
    await demo.says(/Hintgate is listening on (\S+)/)
    await stop(demo)
  })
  await step('hintgate import imports three servers', () => {
    const { servers, wrote } = hintgate('import', 'cursor', '--yes', '--json')
    expect(wrote && servers.length === 3, `imported ${servers.length} servers`)
    expect(
      !readFileSync(join(home, '.hintgate/hintgate.json'), 'utf8').includes('s3cr3t'),
      'a secret was copied',
    )
  })
  let url
  await step('hintgate serve runs them', async () => {
    const gateway = start([BIN, 'serve', '--listen', '127.0.0.1:0'])
    url = (await gateway.says(/^listening (\S+)$/))[1]
    for (const name of ['files', 'memory', 'everything']) await gateway.says(new RegExp(`${name} is ready`))
  })
  await step('hintgate tools review lists what waits, and hintgate tools approve approves it', async () => {
    const waiting = await until(() => {
      const { stdout } = run('tools', 'review')
      return /files/.test(stdout) && /memory/.test(stdout) && /everything/.test(stdout) ? stdout : undefined
    })
    expect(waiting, 'nothing waits for review')
    run('tools', 'approve', '--all', '--yes')
  })
  let client
  await step('hintgate connect connects the client', async () => {
    hintgate('connect', 'cursor', '--url', url, '--yes', '--json')
    client = await connectAs(JSON.parse(readFileSync(clientConfig, 'utf8')).mcpServers.hintgate)
  })
  const plan = join(documents, 'plan.txt')
  await step('a read is allowed', async () => {
    const text = await until(async () => {
      const { isError, content } = await client('call_tool_read', {
        name: 'files:read_text_file',
        args: { path: plan },
      })
      return isError ? undefined : content[0].text
    })
    expect(text?.includes('Buy milk'), `read ${text}`)
  })
  const write = () =>
    client('call_tool_destructive', { name: 'files:write_file', args: { path: plan, content: 'Buy a boat' } })
  await step('a destructive call needs approval', async () => {
    const { isError, structuredContent } = await write()
    expect(
      isError && structuredContent.error.code === 'confirmation_required',
      JSON.stringify(structuredContent),
    )
    expect(readFileSync(plan, 'utf8') === 'Buy milk', 'the call was made without approval')
  })
  await step('hintgate approvals approve allows it once', async () => {
    const [waiting] = hintgate('approvals', 'list', '--json')
    run('approvals', 'approve', waiting.id)
    const { isError } = await write()
    expect(!isError && readFileSync(plan, 'utf8') === 'Buy a boat', 'the approved call was not made')
    expect((await write()).isError, 'one approval allowed two calls')
  })
  await step('hintgate audit lists the calls, and the chain is intact', () => {
    const { stdout } = run('audit', 'query', '--agent', 'cursor')
    expect(
      /Read Text File.*allow → answered/.test(stdout) && /Write File.*confirm → answered/.test(stdout),
      stdout,
    )
    run('audit', 'verify')
  })
  await step('hintgate disconnect restores the client', () => {
    run('disconnect', 'cursor', '--yes')
    expect(
      Object.keys(JSON.parse(readFileSync(clientConfig, 'utf8')).mcpServers).length === 3,
      'the config of the client was not restored',
    )
  })
}

/** The servers of the client: three real ones, one with a secret. */
function theirServers() {
  const server = (name, ...args) => ({
    command: 'node',
    args: [join(SERVERS, name, 'dist/index.js'), ...args],
  })
  return {
    files: server('server-filesystem', documents),
    memory: { ...server('server-memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    everything: { ...server('server-everything', 'stdio'), env: { API_KEY: 's3cr3t-9f8e7d6c5b4a' } },
  }
}

async function step(what, work) {
  const from = performance.now()
  try {
    await work()
  } catch (error) {
    throw new Error(`✗ ${what}: ${error.message}`)
  }
  console.log(`✓ ${seconds(performance.now() - from).padStart(6)}  ${what}`)
}

function run(...args) {
  const done = spawnSync(process.execPath, [BIN, ...args], { env, cwd: home, encoding: 'utf8' })
  if (done.status !== 0)
    throw new Error(`hintgate ${args.join(' ')} exited with ${done.status}: ${done.stderr}`)
  return done
}

function hintgate(...args) {
  return JSON.parse(run(...args).stdout)
}

/** A running process and its output. */
function start(args) {
  const child = spawn(process.execPath, args, { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = []
  const ended = new Promise(resolve => child.once('exit', resolve))
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => lines.push(line))
  const says = async pattern => {
    const find = () => lines.map(line => pattern.exec(line)).find(match => match !== null)
    const found = await until(() => find() ?? (child.exitCode === null ? undefined : 'ended'))
    if (found === undefined || found === 'ended')
      throw new Error(`no line matches ${pattern}: ${lines.join('\n')}`)
    return found
  }
  const process_ = { child, ended, says }
  running.push(process_)
  return process_
}

async function stop({ child, ended }) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
  await ended
}

/** A common kind of MCP client: one session, and one call at a time. */
async function connectAs({ url, headers }) {
  let session
  let id = 0
  const send = async message => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(session && { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-06-18' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    session ??= response.headers.get('mcp-session-id') ?? undefined
    return readAnswer(await response.text())
  }
  const clientInfo = { name: 'newcomer', version: '1' }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const greeted = await send({ id: ++id, method: 'initialize', params: hello })
  expect(greeted?.result?.serverInfo, `no greeting: ${JSON.stringify(greeted)}`)
  await send({ method: 'notifications/initialized' })
  return async (name, args) => {
    const { result } = await send({ id: ++id, method: 'tools/call', params: { name, arguments: args } })
    return result
  }
}

/** The response, as JSON or as the last message of an event stream. */
function readAnswer(text) {
  const messages = text.startsWith('{')
    ? [text]
    : [...text.matchAll(/^data: ?(\{.*)$/gm)].map(match => match[1])
  return messages.length === 0 ? undefined : JSON.parse(messages.at(-1))
}

async function until(look) {
  const end = began + LIMIT_MS
  for (;;) {
    const found = await look()
    if (found !== undefined || performance.now() > end) return found
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

function expect(isTrue, otherwise) {
  if (!isTrue) throw new Error(otherwise)
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}
