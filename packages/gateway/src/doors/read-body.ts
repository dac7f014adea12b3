import type { IncomingMessage } from 'node:http'

/**
 * Hands over the body as text, or undefined when it is larger than allowed; then the rest of it is not read. A client
 * that goes away in the middle is nobody's to answer.
 */
export function readBody(
  req: IncomingMessage,
  maxBytes: number,
  onBody: (text: string | undefined) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const onData = (chunk: Buffer): void => {
    size += chunk.length
    if (size <= maxBytes) return void chunks.push(chunk)
    req.off('data', onData)
    req.off('end', onEnd)
    req.pause()
    onBody(undefined)
  }
  const onEnd = (): void => {
    const [only] = chunks
    onBody((chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)).toString('utf8'))
  }
  req.on('data', onData)
  req.on('end', onEnd)
  req.on('error', () => {})
}
