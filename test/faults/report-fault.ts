import { appendFileSync } from 'node:fs'

/** One line of what `npm run test:faults` prints at its end. */
interface Fault {
  readonly fault: string
  readonly tried: string
  /** In words; nothing, if all is well. */
  readonly lost: readonly string[]
}

/** Where nobody asked for a report there is none. */
export function reportFault({ fault, tried, lost }: Fault): void {
  const file = process.env.HINTGATE_FAULT_REPORT
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ fault, tried, lost })}\n`)
}
