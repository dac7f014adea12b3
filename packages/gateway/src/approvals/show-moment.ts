/**
 * When something ends, to the second, in a sentence for people and agents.
 *
 * showMoment(0) // => '1970-01-01T00:00:00Z'
 */
export function showMoment(at: number): string {
  return `${new Date(Math.ceil(at / 1000) * 1000).toISOString().slice(0, 19)}Z`
}
