// `npm run restarts`: checks that approved real servers do not look changed after restarts.
//   --times N   restarts of each server (default 10)
//   --only A,B  only these servers
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findModernNode, makePeersReady, peerFile } from '../test/peers/ready.mjs'
import { readOptions } from './read-options.mjs'
import { makeReady, makeReadyFolder, ROOT, say } from './ready.mjs'

const values = readOptions(import.meta.url, {
  times: { type: 'string', default: '10' },
  only: { type: 'string' },
})
const BIN = join(ROOT, 'packages/gateway/bin/hintgate.js')
const START_MS = 120_000
/** The pinned lists. A server without one answers with an error or an empty list. */
const LISTS = {
  tool: ['tools/list', 'tools'],
  prompt: ['prompts/list', 'prompts'],
  template: ['resources/templates/list', 'resourceTemplates'],
}

await makeReady('everything')
await makePeersReady()
await makeReadyFolder('test/peers/servers')

const folder = mkdtempSync(join(tmpdir(), 'hintgate-restarts-'))
const place = ['--config', join(folder, 'hintgate.json'), '--home', join(folder, 'home')]

function listServers() {
  const heavy = path => join(ROOT, 'test/peers/servers/node_modules', path)
  const own = '@modelcontextprotocol/server-'
  const node = process.execPath
  const modern = findModernNode()
  mkdirSync(join(folder, 'files'))
  const all = {
    everything: [node, [peerFile(`${own}everything/dist/index.js`), 'stdio']],
    filesystem: [node, [peerFile(`${own}filesystem/dist/index.js`), join(folder, 'files')]],
    memory: [
      node,
      [peerFile(`${own}memory/dist/index.js`)],
      { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    ],
    context7: [node, [peerFile('@upstash/context7-mcp/dist/index.js')]],
    thinking: [node, [heavy(`${own}sequential-thinking/dist/index.js`)]],
    playwright: [node, [heavy('@playwright/mcp/cli.js')]],
    devtools: [node, [heavy('chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js')]],
    notion: [node, [heavy('@notionhq/notion-mcp-server/bin/cli.mjs')], { NOTION_TOKEN: 'none' }],
    kubernetes: [node, [heavy('mcp-server-kubernetes/dist/index.js')]],
    eslint: [node, [heavy('@eslint/mcp/src/mcp-cli.js')]],
    shopify: [node, [heavy('@shopify/dev-mcp/dist/index.js')], { OPT_OUT_INSTRUMENTATION: 'true' }],
    ...(modern === undefined
      ? {}
      : { sentry: [modern, [heavy('@sentry/mcp-server/dist/index.js'), '--access-token', 'none']] }),
  }
  const wanted = values.only?.split(',') ?? Object.keys(all)
  const startTimeout = `${START_MS / 1000}s`
  return Object.fromEntries(
    wanted.map(name => {
      const [command, args, env = {}] = all[name] ?? fail(`unknown server ${name}`)
      return [name, { command, args, env, startTimeout, timeout: startTimeout, trust: 'reviewed' }]
    }),
  )
}

function fail(why) {
  throw new Error(why)
}

function hintgate(...args) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [BIN, ...args, ...place], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`hintgate ${args.join(' ')}: ${stderr}`)),
    )
  })
}

/** Runs a gateway with every server while the work runs. */
async function withGateway(work) {
  const child = spawn(process.execPath, [BIN, 'serve', ...place, '--listen', '127.0.0.1:0'])
  const ended = new Promise(resolve => child.once('close', resolve))
  const url = new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', text => /listening (\S+)/.test(text) && resolve(RegExp.$1))
    child.once('close', code => reject(new Error(`the gateway exited with ${code}`)))
  })
  child.stderr.resume()
  try {
    return await work(await url)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** The response is the body or one of its events. */
function readAnswer(text, id) {
  const lines = text.split('\n').map(line => line.replace(/^data: ?/, ''))
  const messages = lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line))
  return messages.find(message => message.id === id) ?? {}
}

/** The number of definitions of each kind that an agent sees. */
async function look(url, token, server) {
  let session
  const post = async (method, params, id) => {
    const response = await fetch(`${url}/mcp/servers/${server}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', method, params, id }),
    })
    session ??= response.headers.get('mcp-session-id')
    return readAnswer(await response.text(), id)
  }
  const clientInfo = { name: 'restarts', version: '0' }
  const hello = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 0)
  if (hello.error !== undefined) fail(`${server}: ${JSON.stringify(hello.error)}`)
  await post('notifications/initialized', {})
  const seen = { instructions: hello.result?.instructions === undefined ? 0 : 1 }
  for (const [kind, [method, member]] of Object.entries(LISTS)) {
    const { result } = await post(method, {}, 1)
    seen[kind] = Array.isArray(result?.[member]) ? result[member].length : 0
  }
  return seen
}

const lookAtAll = (servers, token) =>
  withGateway(async url => {
    const looks = await Promise.all(servers.map(server => look(url, token, server)))
    return Object.fromEntries(servers.map((server, index) => [server, looks[index]]))
  })

async function main() {
  const mcpServers = listServers()
  const servers = Object.keys(mcpServers)
  writeFileSync(join(folder, 'hintgate.json'), JSON.stringify({ quarantine: true, mcpServers }))
  const made = await hintgate(
    'tokens',
    'create',
    'restarts',
    '--permissions',
    'read,write,destructive',
    '--servers',
    '*',
    '--json',
  )
  const { token } = JSON.parse(made)
  await lookAtAll(servers, token)
  await hintgate('tools', 'approve', '--all', '--yes')
  const expected = await lookAtAll(servers, token)
  const alarms = new Map(servers.map(server => [server, []]))
  for (let time = 1; time <= Number(values.times); time++) {
    const startedAt = Date.now()
    const seen = await lookAtAll(servers, token)
    for (const { server, kind, name, state } of JSON.parse(await hintgate('tools', 'review', '--json')))
      alarms.get(server)?.push(`${time}: ${kind} ${name} is ${state}`)
    for (const server of servers)
      if (JSON.stringify(seen[server]) !== JSON.stringify(expected[server]))
        alarms.get(server)?.push(`${time}: shows ${JSON.stringify(seen[server])}`)
    say(`restart ${time} of ${values.times} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
  }
  const rows = servers.map(server => ({
    server,
    restarts: Number(values.times),
    ...expected[server],
    alarms: alarms.get(server).length,
  }))
  console.table(rows)
  for (const [server, found] of alarms) for (const alarm of found) console.log(`${server}: ${alarm}`)
  return rows.some(row => row.alarms > 0) ? 1 : 0
}

try {
  process.exitCode = await main()
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
