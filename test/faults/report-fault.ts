import { appendFileSync } from 'node:fs'

/** One line of the report of `npm run test:faults`. */
interface Fault {
  readonly fault: string
  readonly tried: string
  /** In words; empty if nothing was lost. */
  readonly lost: readonly string[]
}

/** Does nothing unless a report was requested. */
export function reportFault({ fault, tried, lost }: Fault): void {
  const file = process.env.HINTGATE_FAULT_REPORT
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ fault, tried, lost })}\n`)
}
