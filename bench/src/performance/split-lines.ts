const NEWLINE = 10

/** Passes complete lines to `onLine`, without the newline. Chunks of an unfinished line are joined only once. */
export function splitLines(onLine: (line: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  return chunk => {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end)
      onLine(parts.length === 0 ? piece : Buffer.concat([...parts, piece]))
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
}
