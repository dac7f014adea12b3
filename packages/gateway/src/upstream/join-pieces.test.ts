import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { joinPieces } from './join-pieces.ts'

let server: Server
let received: Promise<Buffer>
let socket: Socket

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  received = once(server, 'connection').then(async ([other]) => {
    const chunks: Buffer[] = []
    for await (const chunk of other as Socket) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  })
  socket = joinPieces(connect((server.address() as AddressInfo).port, '127.0.0.1'))
  await once(socket, 'connect')
})
afterEach(() => {
  socket.destroy()
  server.close()
})

function writeAtOnce(pieces: readonly (readonly [string | Buffer, BufferEncoding?])[]): void {
  socket.cork()
  for (const [piece, encoding] of pieces) socket.write(piece, encoding)
  socket.uncork()
}

describe('pieces that are written at once', () => {
  it('leave as one where they are short, whatever they are written in', async () => {
    const write = vi.spyOn(socket, '_write')
    writeAtOnce([
      ['é: 1\r\n\r\n', 'latin1'],
      [Buffer.from([0, 255])],
      ['{"a":"é😀"}', 'utf8'],
      ['', 'latin1'],
    ])
    expect(write.mock.calls.map(([piece]) => (piece as Buffer).length)).toEqual([8 + 2 + 14])
    socket.end('.')
    expect((await received).toString('latin1')).toBe(
      `é: 1\r\n\r\n\0\u00ff${Buffer.from('{"a":"é😀"}').toString('latin1')}.`,
    )
  })

  it('are not copied where they are long, and arrive all the same', async () => {
    const write = vi.spyOn(socket, '_write')
    const long = Buffer.alloc(200_000, 'x')
    writeAtOnce([['head', 'latin1'], [long]])
    expect(write).not.toHaveBeenCalled()
    socket.end()
    expect((await received).equals(Buffer.concat([Buffer.from('head'), long]))).toBe(true)
  })

  it('keep their order while nobody reads', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at} ${'y'.repeat(100)}\n`)
    for (let at = 0; at < lines.length; at += 2)
      writeAtOnce([[lines[at] ?? ''], [Buffer.from(lines[at + 1] ?? '')]])
    socket.end()
    expect((await received).toString()).toBe(lines.join(''))
  })
})
