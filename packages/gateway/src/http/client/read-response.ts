import type { ResponseHead } from './exchange.ts'
import { isHeaderName, isHeaderValue } from './write-request.ts'

/** Receives the parts of a response. */
export interface ResponseSink {
  onHead(head: ResponseHead): void
  onBody(piece: Buffer): void
}

type Phase = 'head' | 'length' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'done'

const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'
const MOST_HEAD = 16 * 1024
const MOST_LINE = 1024
const MOST_INTERIM = 8

/**
 * Reads one response from a connection, piece by piece. It refuses ambiguities that RFC 9112 lets a recipient tolerate:
 * repeated or conflicting lengths, folded lines, bare line feeds. If client and server disagree about where a response
 * ends, the bytes that follow would be given to the wrong request.
 */
export class ResponseReader {
  readonly #sink: ResponseSink
  #phase: Phase = 'head'
  /** The part of an incomplete head or line that has arrived. */
  #begun = ''
  /** Number of bytes that are still missing from the body or the current chunk. */
  #left = 0
  /** Start of the body bytes in the current piece that must still be delivered; `#to` is their end. */
  #from = 0
  #to = 0
  #interim = 0
  /** Number of characters in trailers and chunk extensions so far. They are limited, because nothing uses them. */
  #unused = 0
  #keepMs: number | undefined

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  /** Prepares the reader for the next response. */
  restart(): void {
    this.#phase = 'head'
    this.#begun = ''
    this.#interim = 0
    this.#unused = 0
  }

  get isDone(): boolean {
    return this.#phase === 'done'
  }

  /**
   * How long the server keeps the connection open after the response, in milliseconds; undefined if the server closes
   * it.
   */
  get keepMs(): number | undefined {
    return this.#keepMs
  }

  /** Reads a piece and returns how many of its bytes belong to this response. Throws if the response is malformed. */
  feed(piece: Buffer): number {
    let at = 0
    this.#from = 0
    this.#to = 0
    while (at < piece.length && this.#phase !== 'done') at = this.#step(piece, at)
    if (this.#to > this.#from)
      this.#sink.onBody(this.#to - this.#from === piece.length ? piece : piece.subarray(this.#from, this.#to))
    return at
  }

  /** Called when the server closes the connection. Returns true if a response can validly end this way. */
  end(): boolean {
    if (this.#phase === 'until-close') this.#phase = 'done'
    return this.#phase === 'done'
  }

  #step(piece: Buffer, at: number): number {
    switch (this.#phase) {
      case 'head':
        return this.#take(piece, { at, until: HEAD_END, most: MOST_HEAD }, text =>
          this.#begin(readHead(text)),
        )
      case 'length':
        return this.#pass(piece, at, 'done')
      case 'until-close':
        return this.#gather(piece, at, piece.length)
      case 'chunk-size':
        if (this.#begun === '') {
          const end = this.#skipPlainSize(piece, at)
          if (end > at) return end
        }
        return this.#take(piece, { at, until: LINE_END, most: MOST_LINE }, line => this.#readSize(line))
      case 'chunk':
        return this.#pass(piece, at, 'chunk-end')
      case 'chunk-end':
        if (this.#begun === '' && piece[at] === RETURN && piece[at + 1] === FEED) {
          this.#phase = 'chunk-size'
          return at + 2
        }
        return this.#take(piece, { at, until: LINE_END, most: 0 }, () => {
          this.#phase = 'chunk-size'
        })
      case 'trailer':
        return this.#take(piece, { at, until: LINE_END, most: MOST_LINE }, line => this.#passTrailer(line))
      case 'done':
        return at
    }
  }

  /**
   * A fast path for chunk sizes without extensions, because a response can have millions of chunks. Returns the offset
   * after the size, or `at` if the size needs the slower path.
   */
  #skipPlainSize(piece: Buffer, at: number): number {
    let size = 0
    let end = at
    for (; end - at < MOST_DIGITS; end++) {
      const digit = HEX[piece[end] ?? 0] ?? -1
      if (digit < 0) break
      size = size * 16 + digit
    }
    if (end === at || piece[end] !== RETURN || piece[end + 1] !== FEED) return at
    this.#beginChunk(size)
    return end + 2
  }

  /** Collects text up to the delimiter `until` and delivers it once it is complete. */
  #take(
    piece: Buffer,
    { at, until, most }: { at: number; until: string; most: number },
    onWhole: (text: string) => void,
  ): number {
    const before = this.#begun.length
    const found = before === 0 ? piece.indexOf(until, at) : -1
    if (found >= 0 && found - at <= most) {
      onWhole(piece.toString('latin1', at, found))
      return found + until.length
    }
    // The search for the delimiter ends at the limit.
    const end = Math.min(piece.length, at + most + until.length - before)
    const text = this.#begun + piece.toString('latin1', at, end)
    const whole = text.indexOf(until, Math.max(0, before - until.length))
    if (whole < 0 && text.length >= most + until.length) throw malformed('a line is too long')
    this.#begun = whole < 0 ? text : ''
    if (whole < 0) return end
    onWhole(text.slice(0, whole))
    return at + whole + until.length - before
  }

  #pass(piece: Buffer, at: number, next: Phase): number {
    const end = Math.min(piece.length, at + this.#left)
    this.#left -= end - at
    if (this.#left === 0) this.#phase = next
    return this.#gather(piece, at, end)
  }

  /**
   * Joins the chunks of one piece by moving them over the sizes between them, and delivers them together. A server can
   * send chunks of one byte, and a buffer for each would take a hundred times the memory of the response.
   */
  #gather(piece: Buffer, at: number, end: number): number {
    if (this.#to === this.#from) this.#from = this.#to = at
    if (this.#to === at) this.#to = end
    else if (end - at > FEW) {
      piece.copyWithin(this.#to, at, end)
      this.#to += end - at
    } else for (let from = at; from < end; from++) piece[this.#to++] = piece[from] ?? 0
    return end
  }

  #begin(head: Head): void {
    if (head.status < 200) return this.#passInterim(head.status)
    this.#keepMs = head.keepMs
    this.#left = head.length
    this.#phase = head.phase
    this.#sink.onHead(head)
  }

  #passInterim(status: number): void {
    this.#interim += 1
    if (status === SWITCHING || this.#interim > MOST_INTERIM) throw malformed('unexpected interim response')
  }

  #readSize(line: string): void {
    const size = CHUNK_SIZE.exec(line)?.[1]
    if (size === undefined || !isHeaderValue(line)) throw malformed('a chunk has no size')
    // Chunk extensions are ignored, but they count towards a limit, because reading them takes time.
    this.#count(line.length - size.length)
    this.#beginChunk(Number.parseInt(size, 16))
  }

  #beginChunk(size: number): void {
    this.#left = size
    this.#phase = this.#left === 0 ? 'trailer' : 'chunk'
  }

  #passTrailer(line: string): void {
    this.#count(line.length)
    if (!isHeaderValue(line)) throw malformed('a trailer is malformed')
    if (line === '') this.#phase = 'done'
  }

  #count(unused: number): void {
    this.#unused += unused
    if (this.#unused > MOST_HEAD) throw malformed('its trailers or chunk extensions are too long')
  }
}

const RETURN = 13
const FEED = 10
const SPACE = 32
const TAB = 9
/** Up to this many bytes, a loop is faster than `copyWithin`. */
const FEW = 32
const MOST_DIGITS = 8
/** A lookup table by character code: the value of a hexadecimal digit, or -1 for other characters. */
const HEX = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
)
const SWITCHING = 101
const LENGTH = /^\d{1,15}$/
const CHUNK_SIZE = /^([\da-f]{1,8})(?:;|$)/i
const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/
/** Headers that must not be repeated, because recipients could then disagree about where the response ends. */
const ONLY_ONCE = new Set(['content-length', 'transfer-encoding'])

type Headers = ReadonlyMap<string, string>

interface Head extends ResponseHead {
  /** How the body is to be read. */
  readonly phase: Phase
  readonly length: number
  readonly keepMs: number | undefined
}

function readHead(text: string): Head {
  const lines = text.split(LINE_END)
  const [, version, digits] = STATUS_LINE.exec(lines[0] ?? '') ?? []
  const status = Number(digits)
  if (version === undefined || !(status >= 100) || !isHeaderValue(lines[0] ?? ''))
    throw malformed('its status line is malformed')
  const headers = new Map<string, string>()
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (!isHeaderName(name) || !isHeaderValue(line)) throw malformed('a header is malformed')
    const value = withoutBlanks(line.slice(colon + 1))
    const before = headers.get(name)
    if (before !== undefined && ONLY_ONCE.has(name)) throw malformed(`its header ${name} is repeated`)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { status, headers, ...frame(version, status, headers) }
}

/**
 * Removes blanks at both ends. `trim` would remove more characters than HTTP counts as blanks, and a regular expression
 * is slow if there are many.
 */
function withoutBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from += 1
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1
  return text.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

function frame(version: string, status: number, headers: Headers): Pick<Head, 'phase' | 'length' | 'keepMs'> {
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (coding !== undefined && (length !== undefined || coding.toLowerCase() !== 'chunked'))
    throw malformed('its length is ambiguous')
  if (length !== undefined && !LENGTH.test(length)) throw malformed('its content-length is not a number')
  const phase = phaseOf(status, coding, length)
  // HTTP/1.0 has no chunks, so an intermediary might have seen the response end elsewhere and appended data (RFC 9112,
  // 6.1).
  const isDubious = phase === 'until-close' || (version === '0' && coding !== undefined)
  const keepMs = isDubious ? undefined : readKeeping(version, headers)
  return { phase, length: Number(length ?? 0), keepMs }
}

function phaseOf(status: number, coding: string | undefined, length: string | undefined): Phase {
  if (status === 204 || status === 304) return 'done'
  if (coding !== undefined) return 'chunk-size'
  if (length === undefined) return 'until-close'
  return Number(length) === 0 ? 'done' : 'length'
}

/** How long an idle connection can be reused if the server sends no keep-alive timeout. */
export const USUAL_KEEP_MS = 4000
const MOST_KEEP_MS = 600_000
/**
 * Connections are no longer used during this last part of their timeout, because a request could arrive after the
 * server has closed the connection.
 */
const EARLIER_MS = 1000
const TIMEOUT = /(?:^|[\s,;])timeout=(\d{1,9})/i

function readKeeping(version: string, headers: Headers): number | undefined {
  const connection = headers.get('connection')?.toLowerCase() ?? ''
  const isKept = version === '1' ? !connection.includes('close') : connection.includes('keep-alive')
  if (!isKept) return undefined
  const seconds = TIMEOUT.exec(headers.get('keep-alive') ?? '')?.[1]
  if (seconds === undefined) return USUAL_KEEP_MS
  const keepMs = Math.min(Number(seconds) * 1000 - EARLIER_MS, MOST_KEEP_MS)
  return keepMs > 0 ? keepMs : undefined
}

function malformed(why: string): Error {
  return new Error(`the response is not valid HTTP: ${why}`)
}
