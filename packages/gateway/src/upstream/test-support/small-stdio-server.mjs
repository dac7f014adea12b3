// A server on stdio of 2025-06-18: node small-stdio-server.mjs. `ping` answers at once; `block` is busy for `ms`; `ask`
// sends `count` questions, is busy for `ms`, and answers with the lengths of the answers; `shout` writes to standard
// error for `ms`, as much as the pipe takes, and answers with the number of bytes. No dependencies.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const serverInfo = { name: 'small', version: '1' }
const questions = new Map()
const beBusy = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const tools = {
  ping: answer => answer({}),
  block: (answer, { ms }) => {
    beBusy(ms)
    answer({})
  },
  ask: (answer, { count, ms }) => {
    const lengths = []
    for (let at = 0; at < count; at += 1) {
      const id = `q${questions.size}`
      questions.set(id, line => {
        lengths.push(line.length)
        if (lengths.length === count) answer({ lengths })
      })
      send({ id, method: 'sampling/createMessage', params: { messages: [] } })
    }
    beBusy(ms)
  },
  shout: (answer, { ms }) => {
    const until = Date.now() + ms
    const line = `${'!'.repeat(65_535)}\n`
    let bytes = 0
    while (Date.now() < until) bytes += write(line)
    answer({ bytes })
  },
}

/** Writes nothing if the pipe is full, and waits a moment. */
function write(text) {
  try {
    return writeSync(2, text)
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error
    beBusy(1)
    return 0
  }
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } })
  else if (method === 'tools/call') tools[params.name](result => send({ id, result }), params)
  else if (method === undefined) questions.get(id)?.(line)
})
