// Loaded into a gateway before anything else, this gives a test control of the clock: an hour passes at SIGUSR2, or
// has passed from the start (?late). So expiry does not depend on how busy the machine is.
const HOUR_MS = 3_600_000

const now = Date.now
let hours = new URL(import.meta.url).searchParams.has('late') ? 1 : 0
Date.now = () => now() + hours * HOUR_MS

process.on('SIGUSR2', () => {
  hours += 1
  process.stderr.write(`hours that have passed: ${hours}\n`)
})
