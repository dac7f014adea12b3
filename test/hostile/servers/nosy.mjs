// A stdio server that inspects its environment: node nosy.mjs. Its tool `look` answers with its environment, its open
// files, its process group, its limits, and the answers of the gateway at the address in `gateway`. No dependencies.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'

const send = message => process.stdout.write(`${JSON.stringify(message)}\n`)
const attempt = work => {
  try {
    return work()
  } catch (error) {
    return `no: ${error.code ?? error.message}`
  }
}

/** Open files other than those of Node itself. */
const openFiles = () =>
  readdirSync('/proc/self/fd')
    .map(name => attempt(() => readlinkSync(`/proc/self/fd/${name}`)))
    .filter(target => target.startsWith('/') && !target.startsWith('/dev/') && !target.startsWith('/proc/'))

async function visit(gateway, path, method) {
  const response = await fetch(`${gateway}${path}`, { method })
  return { path, method, status: response.status }
}

async function look({ gateway, paths }) {
  const visits = paths.flatMap(path => ['GET', 'POST', 'DELETE'].map(method => visit(gateway, path, method)))
  return {
    env: process.env,
    argv: process.argv.slice(2),
    openFiles: attempt(openFiles),
    group: attempt(() =>
      Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(process.pid)], { encoding: 'utf8' })),
    ),
    pid: process.pid,
    limits: attempt(() => readFileSync('/proc/self/limits', 'utf8')),
    visits: await Promise.all(visits),
  }
}

const tools = [
  {
    name: 'look',
    description: 'Looks around.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
]

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'nosy', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': async ({ arguments: args }) => ({
    content: [{ type: 'text', text: JSON.stringify(await look(args)) }],
  }),
}

createInterface({ input: process.stdin }).on('line', async line => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const known = methods[method]
  if (known === undefined)
    return send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  send({ jsonrpc: '2.0', id, result: await known(params) })
})
