/**
 * Returns the known word nearest to `word`, or undefined if none is close. Ignores case, `_` and `-`.
 *
 * @example
 * import { nearest } from '@hintgate/metadata'
 * nearest('time_out', ['command', 'timeout']) // => 'timeout'
 * nearest('colour', ['command', 'timeout']) // => undefined
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined
  const wanted = simplify(word)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, simplify(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

export function didYouMean(word: string, known: Iterable<string>): string {
  const match = nearest(word, known)
  return match === undefined ? '' : ` Did you mean \`${match}\`?`
}

function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '')
}

/**
 * Levenshtein distance, computed one row at a time. Words are short, and this code also runs in browsers, where a
 * library would not be worth its size.
 */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
