import { LIMITS } from '../admission/limits.ts'
import type { DirectRequest } from './direct-request.ts'
import { GrowingBuffer } from './growing-buffer.ts'

interface BodyLimits {
  readonly maxBytes: number
  /** Told of every part but the first; false, and somebody has answered already, when there is no room for it. */
  readonly mayGrow: (bytes: number) => boolean
}

/** Why a body is not taken: it is too long, or comes in too many short pieces. */
export type BodyFault = 'long' | 'pieces'

/** What a piece takes of us, however short it is, in bytes that come in long ones. */
const LEAST = 512
/** Any body may come in some short pieces. */
const SPARE = 64 * LEAST
/** How much is read of a body that nobody wants. */
const MOST_PAST = 1024 * 1024

/** Whether a body may take so long that it has to wait for its turn (`LongWork`). */
export function isLongBody(text: string): boolean {
  return text.length >= LIMITS.longWork.leastBody
}

/** Says only what is the case: whoever sends too much should not look for pieces. */
export function describeFault(fault: BodyFault | undefined, maxBytes: number): string {
  return fault === 'pieces'
    ? 'the body came in too many short pieces; send it in fewer and longer ones'
    : `a body may have ${maxBytes} bytes; see limits.body`
}

/**
 * Hands over the body as text, or why not when it is larger than allowed, or comes in so many short pieces that it takes
 * as much of us as if it were; then the rest of it is not read. A client that goes away in the middle is nobody's to answer.
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
    // Most bodies come whole, and need not be asked about.
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
    // The request lives on while the answer is read, and no longer counts.
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
 * Reads on without keeping anything, as far as that takes little: many clients look for an answer only when they have sent
 * everything. Who sends more than that is not read any further.
 */
export function readPast(req: DirectRequest, onTooMuch: () => void): void {
  let left = MOST_PAST
  req.takeBody(piece => {
    left -= Math.max(LEAST, piece?.length ?? 0)
    if (left < 0) onTooMuch()
    return left >= 0
  })
}
