// What a gateway loads before anything else when a test has a say in what time it is: an hour passes when the test says so
// (SIGUSR2), or has passed from the start (?late). What has an end is then over when the test wants it, and not when a
// busy machine has taken so long.
const HOUR_MS = 3_600_000

const now = Date.now
let hours = new URL(import.meta.url).searchParams.has('late') ? 1 : 0
Date.now = () => now() + hours * HOUR_MS

process.on('SIGUSR2', () => {
  hours += 1
  process.stderr.write(`hours that have passed: ${hours}\n`)
})
