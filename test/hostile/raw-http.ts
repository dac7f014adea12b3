import { connect } from 'node:net'
import { PATIENCE_MS } from '../support/patience.ts'

export interface RawAnswer {
  /** 0 if the connection was closed without an answer. */
  readonly status: number
  readonly text: string
  /** True if the gateway neither answered nor closed the connection in time. */
  readonly isHanging: boolean
}

/** Sends bytes that no client library would send, and reads until the gateway closes the connection. */
export function sendBytes(url: string, bytes: string | Buffer, patienceMs = PATIENCE_MS): Promise<RawAnswer> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    let isHanging = false
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    socket.on('close', () => {
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text, isHanging })
    })
    // A connection closed in the middle of a request counts as an answer.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.setTimeout(patienceMs, () => {
      isHanging = text === ''
      socket.destroy()
    })
  })
}

/** A request with exactly these header lines; the connection closes after it. */
export function writeRequest(line: string, headers: readonly string[], body = ''): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return `${line} HTTP/1.1\r\n${[...headers, length, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
}
