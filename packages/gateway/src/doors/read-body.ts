import type { DirectRequest } from './direct-request.ts'

interface BodyLimits {
  readonly maxBytes: number
  /** Told of every part but the first; false, and somebody has answered already, when there is no room for it. */
  readonly mayGrow: (bytes: number) => boolean
}

/**
 * Hands over the body as text, or undefined when it is larger than allowed; then the rest of it is not read. A client
 * that goes away in the middle is nobody's to answer.
 */
export function readBody(
  req: DirectRequest,
  { maxBytes, mayGrow }: BodyLimits,
  onBody: (text: string | undefined) => void,
): void {
  let first: Buffer | undefined
  let others: Buffer[] | undefined
  let size = 0
  let isOver = false
  req.on('error', () => {})
  req.takeBody(piece => {
    if (isOver) return false
    if (piece === null) {
      isOver = true
      const whole = others === undefined ? first : Buffer.concat(others, size)
      onBody(whole?.toString('utf8') ?? '')
      return true
    }
    size += piece.length
    // Most bodies come whole, and need not be asked about.
    const mayGoOn = first === undefined || mayGrow(piece.length)
    if (size <= maxBytes && mayGoOn) {
      if (first === undefined) first = piece
      else if (others === undefined) others = [first, piece]
      else others.push(piece)
      return true
    }
    isOver = true
    if (mayGoOn) onBody(undefined)
    return false
  })
}
