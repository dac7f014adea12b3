// A server that lists its tool `put` only once the file `go` exists. It writes everything that it receives to a file.
// No dependencies.
import { appendFileSync, existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [, , folder] = process.argv
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const put = {
  name: 'put',
  description: 'Puts.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
}

const mayGo = new Promise(resolve => {
  const look = () => existsSync(join(folder, 'go')) && resolve()
  watch(folder, look)
  look()
})

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'late', version: '1' },
  }),
  'tools/list': () => mayGo.then(() => ({ tools: [put] })),
  'tools/call': () => ({ content: [{ type: 'text', text: 'put' }] }),
}

async function answer({ id, method, params }) {
  appendFileSync(join(folder, 'received'), `${method} ${JSON.stringify(params?.arguments ?? {})}\n`)
  if (id === undefined) return
  const result = await methods[method]?.(params)
  send(result === undefined ? { id, error: { code: -32601, message: 'Method not found' } } : { id, result })
}

for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line))
process.exit(0)
