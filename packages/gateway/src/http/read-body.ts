import { LIMITS } from '../admission/limits.ts'
import type { DirectRequest } from './direct-request.ts'
import { GrowingBuffer } from './growing-buffer.ts'

interface BodyLimits {
  readonly maxBytes: number
  /** Called for every piece but the first. False when a limit is reached and the request was already answered. */
  readonly mayGrow: (bytes: number) => boolean
}

/** Why a body is refused: it is too long, or arrives in too many short pieces. */
export type BodyFault = 'long' | 'pieces'

/** The cost of a piece, however short it is, in bytes of a long one. */
const LEAST = 512
/** Any body may arrive in this many short pieces. */
const SPARE = 64 * LEAST
/** How much is read of a body that was refused. */
const MOST_PAST = 1024 * 1024

/** Whether a body takes long enough to process that it must wait for its turn (`LongWork`). */
export function isLongBody(text: string): boolean {
  return text.length >= LIMITS.longWork.leastBody
}

/** Names the actual problem only: a client that sends too much should not look for pieces. */
export function describeFault(fault: BodyFault | undefined, maxBytes: number): string {
  return fault === 'pieces'
    ? 'the body arrived in too many short pieces; send it in fewer, longer ones'
    : `the body is longer than ${maxBytes} bytes; see limits.body`
}

/**
 * Returns the body as text, or the fault of a body that is too long or arrives in too many short pieces, whose rest
 * is not read. A client that disconnects in between gets no answer.
 */
export function readBody(
  req: DirectRequest,
  { maxBytes, mayGrow }: BodyLimits,
  onBody: (text: string | undefined, fault?: BodyFault) => void,
): void {
  let first: Buffer | undefined
  let all: GrowingBuffer | undefined
  let size = 0
  let lost = 0
  let isOver = false
  req.on('error', () => {})
  req.takeBody(piece => {
    if (isOver) return false
    if (piece === null) {
      isOver = true
      const whole = all === undefined ? first : all.bytes
      onBody(whole?.toString('utf8') ?? '')
      return true
    }
    size += piece.length
    // Most bodies arrive in one piece, which needs no further check.
    if (first === undefined && size <= maxBytes) {
      first = piece
      return true
    }
    const cost = Math.max(LEAST, piece.length)
    lost += cost - piece.length
    const mayGoOn = first === undefined || mayGrow(cost)
    if (size <= maxBytes && lost <= maxBytes + SPARE && mayGoOn) {
      all ??= begin(first)
      all.add(piece)
      return true
    }
    isOver = true
    // The request object lives until the answer is sent, but its body no longer counts.
    first = undefined
    all = undefined
    if (mayGoOn) onBody(undefined, size > maxBytes ? 'long' : 'pieces')
    return false
  })
}

function begin(first: Buffer | undefined): GrowingBuffer {
  const all = new GrowingBuffer()
  if (first !== undefined) all.add(first)
  return all
}

/**
 * Reads and discards the rest of a body if it is short: many clients read an answer only after they have sent
 * everything. A longer rest is not read.
 */
export function readPast(req: DirectRequest, onTooMuch: () => void): void {
  let left = MOST_PAST
  req.takeBody(piece => {
    left -= Math.max(LEAST, piece?.length ?? 0)
    if (left < 0) onTooMuch()
    return left >= 0
  })
}
