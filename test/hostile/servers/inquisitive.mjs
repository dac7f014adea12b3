// A server that asks a question before a resource can be read, and writes the answers to a file in a folder. No
// dependencies.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [, , folder] = process.argv
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const read = {
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'inquisitive', version: '1' },
  }),
  'tools/list': () => ({ tools: [read] }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === 'resources/read') {
    const requestedSchema = { type: 'object', properties: {} }
    send({ id: `about ${id}`, method: 'elicitation/create', params: { message: 'who?', requestedSchema } })
  } else if (method === undefined) {
    appendFileSync(join(folder, 'answers'), `${JSON.stringify({ result, error })}\n`)
    send({ id: Number(String(id).slice(6)), result: { contents: [{ uri: 'note://x', text: 'read' }] } })
  } else if (id !== undefined) {
    const answer = methods[method]?.(params)
    send(
      answer === undefined
        ? { id, error: { code: -32601, message: 'Method not found' } }
        : { id, result: answer },
    )
  }
}
