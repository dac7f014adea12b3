import { randomBytes } from 'node:crypto'

/**
 * Creates a random name of letters and digits, which people can pronounce, select with one click, and type as the value
 * of an option.
 */
export function createName(bytes: number): string {
  const longest = (1n << BigInt(8 * bytes)) - 1n
  const name = BigInt(`0x${randomBytes(bytes).toString('hex')}`).toString(36)
  return name.padStart(longest.toString(36).length, '0')
}
