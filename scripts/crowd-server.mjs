// A stdio server for scripts/crowd.mjs: `echo` answers at once, `rows` returns 97,000 members in 1.4 MB, and `compute`
// blocks for some milliseconds, so that it cannot read a cancellation.
import { createInterface } from 'node:readline'

const ROWS = Array.from({ length: 32_333 }, (_, id) => ({ id, name: `row number ${id % 10}`, n: 1 }))
const COMPUTE_MS = 4
const TOOLS = ['echo', 'rows', 'compute'].map(name => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
}))

function compute() {
  const until = performance.now() + COMPUTE_MS
  while (performance.now() < until);
  return { content: [{ type: 'text', text: 'x'.repeat(100_000) }] }
}

const calls = {
  echo: () => ({ content: [{ type: 'text', text: 'here' }] }),
  rows: () => ({ content: [], structuredContent: { rows: ROWS } }),
  compute,
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'crowded', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name }) => calls[name]?.(),
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const result = methods[method]?.(params)
  const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
