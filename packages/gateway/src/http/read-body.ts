import { LIMITS } from '../admission/limits.ts'
import type { DirectRequest } from './direct-request.ts'
import { GrowingBuffer } from './growing-buffer.ts'

interface BodyLimits {
  readonly maxBytes: number
  /**
   * Called for every piece except the first. Returns false if a limit is reached, in which case the request has already
   * been answered.
   */
  readonly mayGrow: (bytes: number) => boolean
}

/** The reason why a body is refused: it is too long, or it arrives in too many short pieces. */
export type BodyFault = 'long' | 'pieces'

/**
 * Each piece counts as at least this many bytes towards the limit, because handling a short piece costs almost as much.
 */
const LEAST = 512
/** Allowance for short pieces, in bytes. However small `maxBytes` is, up to 64 short pieces are accepted. */
const SPARE = 64 * LEAST
/** Maximum number of bytes that are still read after a body was refused. */
const MOST_PAST = 1024 * 1024

/** Whether a body takes so long to process that it must wait for its turn (`LongWork`). */
export function isLongBody(text: string): boolean {
  return text.length >= LIMITS.longWork.leastBody
}

/**
 * Describes why a body was refused. The text names only the actual problem, so a client that sends too much is not told
 * about pieces.
 */
export function describeFault(fault: BodyFault | undefined, maxBytes: number): string {
  return fault === 'pieces'
    ? 'the body arrived in too many short pieces; send it in fewer, longer ones'
    : `the body is longer than ${maxBytes} bytes; see limits.body`
}

/**
 * Passes the body to `onBody` as text, or a fault if it is too long or arrives in too many short pieces; the rest is
 * then not read. If the client disconnects before the end, `onBody` is never called.
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
    // The request object, which stays in memory until the answer is sent, must not hold on to the refused body.
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
 * Reads and discards the rest of a refused body, up to a limit, because many clients read an answer only after they
 * have sent everything.
 */
export function readPast(req: DirectRequest, onTooMuch: () => void): void {
  let left = MOST_PAST
  req.takeBody(piece => {
    left -= Math.max(LEAST, piece?.length ?? 0)
    if (left < 0) onTooMuch()
    return left >= 0
  })
}
