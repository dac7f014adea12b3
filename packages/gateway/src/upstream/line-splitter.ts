const NEWLINE = 10

/**
 * Cuts a byte stream into lines. Chunks are kept as they came and joined once per line: joining at every chunk
 * would copy a long line over and over.
 */
export function createLineSplitter(maxBytes: number, onLine: (line: string) => void, onTooLong: () => void) {
  let chunks: Buffer[] = []
  let size = 0
  let isSkipping = false

  const keep = (part: Buffer): void => {
    size += part.length
    if (size > maxBytes && !isSkipping) {
      isSkipping = true
      chunks = []
      onTooLong()
    }
    if (!isSkipping && part.length > 0) chunks.push(part)
  }
  const finish = (): void => {
    if (!isSkipping && size > 0)
      onLine((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))?.toString('utf8') ?? '')
    chunks = []
    size = 0
    isSkipping = false
  }

  return (chunk: Buffer): void => {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end))
      finish()
      from = end + 1
    }
    keep(chunk.subarray(from))
  }
}
