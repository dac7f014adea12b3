/** More than this of one result is not searched, and the result says so. */
export const MOST = 1024 * 1024

export interface Room {
  /** How many characters are searched. */
  readonly most: number
  /** Whether of a text that is longer than what is left so much is searched, or nothing of it. */
  readonly isCut: boolean
}

export const ALL: Room = { most: MOST, isCut: true }
