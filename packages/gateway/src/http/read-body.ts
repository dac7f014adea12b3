import { LIMITS } from '../admission/limits.ts'
import type { DirectRequest } from './direct-request.ts'
import { GrowingBuffer } from './growing-buffer.ts'

interface BodyLimits {
  readonly maxBytes: number
  /**
   * Called for every piece except the first. Returns false if a limit is reached; the request has then already been
   * answered.
   */
  readonly mayGrow: (bytes: number) => boolean
}

/** Why a body is refused: it is too long, or arrives in too many short pieces. */
export type BodyFault = 'long' | 'pieces'

/** The least that a piece counts, in bytes, however short it is. */
const LEAST = 512
/** How much more than its length the pieces of a short body may count. */
const SPARE = 64 * LEAST
/** How many bytes are read of a body that was refused. */
const MOST_PAST = 1024 * 1024

/** Whether a body takes long enough to process that it must wait for its turn (`LongWork`). */
export function isLongBody(text: string): boolean {
  return text.length >= LIMITS.longWork.leastBody
}

/**
 * Describes why a body was refused. It names only the actual problem, so that a client that sends too much is not told
 * about pieces.
 */
export function describeFault(fault: BodyFault | undefined, maxBytes: number): string {
  return fault === 'pieces'
    ? 'the body arrived in too many short pieces; send it in fewer, longer ones'
    : `the body is longer than ${maxBytes} bytes; see limits.body`
}

/**
 * Returns the body as text, or a fault if it is too long or arrives in too many short pieces; the rest is then not
 * read. If the client disconnects before the end, `onBody` is never called.
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
    // Most bodies arrive in one piece and need no further check.
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
    // The request object stays in memory until the answer is sent, so the refused body is released here.
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
 * Reads and discards the rest of a refused body, because many clients read an answer only after they have sent
 * everything. Stops at a limit.
 */
export function readPast(req: DirectRequest, onTooMuch: () => void): void {
  let left = MOST_PAST
  req.takeBody(piece => {
    left -= Math.max(LEAST, piece?.length ?? 0)
    if (left < 0) onTooMuch()
    return left >= 0
  })
}
