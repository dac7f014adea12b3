import type { IncomingMessage } from 'node:http'

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
  req: IncomingMessage,
  { maxBytes, mayGrow }: BodyLimits,
  onBody: (text: string | undefined) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const onData = (chunk: Buffer): void => {
    size += chunk.length
    // Most bodies come whole, and need not be asked about.
    const mayGoOn = chunks.length === 0 || mayGrow(chunk.length)
    if (size <= maxBytes && mayGoOn) return void chunks.push(chunk)
    req.off('data', onData)
    req.off('end', onEnd)
    req.pause()
    if (mayGoOn) onBody(undefined)
  }
  const onEnd = (): void => {
    const [only] = chunks
    onBody((chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)).toString('utf8'))
  }
  req.on('data', onData)
  req.on('end', onEnd)
  req.on('error', () => {})
}
