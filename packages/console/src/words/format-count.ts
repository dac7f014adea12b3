/**
 * Formats a count with its noun.
 *
 * @example
 * formatCount(1, 'tool') // '1 tool'
 */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
