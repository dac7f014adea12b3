// Preloaded into the gateway; records which functions run between two signals.
//   node --import ./watch-calls.mjs …; the first SIGUSR2 starts, and the next one writes the result to $HINTGATE_CALLS
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
let isWatching = false

process.on('SIGUSR2', () => {
  const work = isWatching ? report() : begin()
  work.then(() => process.stdout.write(`${isWatching ? 'watching' : 'reported'}\n`))
})

async function begin() {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  isWatching = true
}

async function report() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  isWatching = false
  const ran = result
    .filter(({ url }) => url.includes('/packages/gateway/dist/'))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0)
        .map(({ functionName, ranges }) => ({ url, name: functionName, times: ranges[0].count })),
    )
  writeFileSync(process.env.HINTGATE_CALLS, JSON.stringify(ran))
}
