import type { IncomingMessage } from 'node:http'

/** The body as text, or undefined when it is larger than allowed; then the rest of it is not read. */
export function readBody(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const announced = Number(req.headers['content-length'] ?? 0)
    if (announced > maxBytes) return resolve(undefined)
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) {
        req.pause()
        resolve(undefined)
      } else chunks.push(chunk)
    })
    req.once('end', () =>
      resolve(
        (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size)).toString(
          'utf8',
        ),
      ),
    )
    req.once('error', reject)
    req.once('close', () => reject(new Error('the client went away')))
  })
}
