import type { Socket } from 'node:net'
import type { WireRequest } from './exchange.ts'

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** What no line may have in it: others may take it for an end, or for nothing. */
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/
/** Longer ones would be copied for more than it saves. */
const MOST_AT_ONCE = 16 * 1024

/** One line of a head. A value that could end the line would be a request of somebody else's making. */
export function writeHeader(name: string, value: string): string {
  if (!isHeaderName(name) || !isHeaderValue(value)) throw new Error(`the header ${name} cannot be sent`)
  return `${name}: ${value}\r\n`
}

export function isHeaderName(name: string): boolean {
  return NAME.test(name)
}

export function isHeaderValue(value: string): boolean {
  return !NO_VALUE.test(value)
}

export function writeHeaders(headers: Readonly<Record<string, string>>): string {
  let text = ''
  for (const name in headers) text += writeHeader(name, headers[name] ?? '')
  return text
}

/** Puts a request on a socket, in one piece where it is short: two cost Node half as much again as one. */
export function writeRequest(socket: Socket, { head, body }: WireRequest): void {
  if (body === undefined) return void socket.write(`${head}\r\n`, 'latin1')
  const bytes = Buffer.byteLength(body)
  const whole = `${head}content-length: ${bytes}\r\n\r\n`
  if (bytes > MOST_AT_ONCE) {
    socket.cork()
    socket.write(whole, 'latin1')
    socket.write(body, 'utf8')
    socket.uncork()
  } else if (bytes === body.length) socket.write(whole + body, 'latin1')
  else socket.write(Buffer.concat([Buffer.from(whole, 'latin1'), Buffer.from(body, 'utf8')]))
}
