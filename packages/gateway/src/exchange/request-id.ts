import { createName } from '../base/create-name.ts'

const PROCESS = createName(6)
let counter = 0

/** Unique over processes and time: a random name of this process, and a number. */
export function nextRequestId(): string {
  counter += 1
  return `${PROCESS}-${counter.toString(36)}`
}
