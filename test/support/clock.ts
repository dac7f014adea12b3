import type { Running } from './processes.ts'

const clock = new URL('./clock.mjs', import.meta.url).href

/** The environment of a process for which an hour passes when the test says so. */
export const CLOCK = { NODE_OPTIONS: `--import ${clock}` }

/** The environment of a process for which an hour has passed from the start. */
export const AN_HOUR_LATER = { NODE_OPTIONS: `--import ${clock}?late` }

export async function letAnHourPass({ child, stderr }: Running): Promise<void> {
  const isTold = (line: string): boolean => line.startsWith('hours that have passed: ')
  const told = stderr.items.filter(isTold).length
  child.kill('SIGUSR2')
  await stderr.until(line => isTold(line) && line.endsWith(` ${told + 1}`))
}
