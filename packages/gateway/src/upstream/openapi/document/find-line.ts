/** Returns the line on which a top-level key of a YAML or JSON document is, or the first line. */
export function findLine(text: string, key: string): number {
  const lines = text.slice(0, MOST_SEARCHED).split('\n')
  const at = lines.findIndex(line => {
    const start = line.trimStart()
    return start.startsWith(`${key}:`) || start.startsWith(`"${key}"`) || start.startsWith(`'${key}'`)
  })
  return at < 0 ? 1 : at + 1
}

const MOST_SEARCHED = 1_000_000
