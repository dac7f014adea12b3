// A stdio server for the screenshots: node demo-server.mjs NAME FILE. FILE holds the version of its tools.
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { toolsOf } from './servers.mjs'

const [name, file] = process.argv.slice(2)
const version = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name, version: '2.1.0' },
  }),
  'tools/list': () => ({ tools: toolsOf(name, version()) }),
  'tools/call': ({ name: tool }) => ({ content: [{ type: 'text', text: `${tool}: done` }] }),
  ping: () => ({}),
}

process.stderr.write(`${name} 2.1.0 listening on stdio\n`)
if (name === 'crm') process.stderr.write('warning: cache is cold, first searches may be slow\n')

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = ANSWERS[method]
  // Real servers have varying latency.
  const wait = method === 'tools/call' ? 4 + ((line.length * 7) % 60) : 0
  if (answer === undefined) send({ id, error: { code: -32601, message: 'method not found' } })
  else setTimeout(() => send({ id, result: answer(params ?? {}) }), wait)
})
