// The floor for stdio: HTTP in front, one pipe behind, and ids replaced in the bytes. It relies on the fixed position of ids in
// the bench's own messages, so it parses nothing.
//   node bench/dist/performance/floor-stdio.js JSON_COMMAND…   (number N is served at /N)
import { spawn } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { splitLines } from './split-lines.ts'

type Send = (body: string, res: ServerResponse) => void

const BEFORE_ID = '{"jsonrpc":"2.0","id":'
const COMMA = 44

function openPipe(command: string): Send {
  const [program = '', ...args] = JSON.parse(command) as string[]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, { readonly id: string; readonly res: ServerResponse }>()
  let last = 0

  const feed = splitLines(line => {
    const end = line.indexOf(COMMA, BEFORE_ID.length)
    const own = Number(line.toString('latin1', BEFORE_ID.length, end))
    const found = waiting.get(own)
    waiting.delete(own)
    if (found === undefined) return
    const head = Buffer.from(BEFORE_ID + found.id)
    const length = head.length + line.length - end
    found.res.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    found.res.end(Buffer.concat([head, line.subarray(end)], length))
  })
  child.stdout.on('data', feed)

  return (body, res) => {
    if (!body.startsWith(BEFORE_ID)) {
      child.stdin.write(`${body}\n`)
      res.writeHead(202).end()
      return
    }
    const end = body.indexOf(',', BEFORE_ID.length)
    waiting.set(++last, { id: body.slice(BEFORE_ID.length, end), res })
    child.stdin.write(`${BEFORE_ID}${last}${body.slice(end)}\n`)
  }
}

const pipes = process.argv.slice(2).map(openPipe)
const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const send = pipes[Number(req.url?.slice(1))]
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    if (send === undefined) res.writeHead(404).end()
    else send(Buffer.concat(chunks).toString(), res)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
