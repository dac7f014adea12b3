// Loaded into the gateway (node --import): at SIGUSR2 it collects all garbage and writes what remains to stderr, as
// `soak-probe {…}`. Counts of objects tell more than bytes: one leaked timer for each call is visible at once, even
// if it was unref'd or has run and is still referenced. Each count takes about a second, in which nothing else
// happens. HINTGATE_SOAK_LEAK=memory|timers|listeners leaks something at every request, which the soak must detect.
import { subscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { queryObjects, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const NEVER_MS = 2_000_000_000
const unused = setTimeout(() => {}, NEVER_MS)
clearTimeout(unused)
const KINDS = {
  timers: unused.constructor,
  // Sockets, streams, requests and responses.
  emitters: EventEmitter,
  signals: AbortSignal,
  // A listener that was not removed is one of these.
  functions: Function,
}
const MB = 1024 * 1024
const kept = []
const LEAKS = {
  memory: () => kept.push(`${kept.length}`.padEnd(4096, '-').split('')),
  timers: () => setTimeout(() => {}, NEVER_MS).unref(),
  listeners: () => process.setMaxListeners(0).on('soak', () => {}),
}

let readings = 0

async function read(collect) {
  for (let times = 0; times < 3; times += 1) {
    collect()
    // The next collection frees what finalizers release.
    await turn()
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  const counts = Object.entries(KINDS).map(([name, kind]) => [name, queryObjects(kind, { format: 'count' })])
  return {
    reading: ++readings,
    ...{ rss: rss / MB, heap: heapUsed / MB, external: external / MB },
    ...Object.fromEntries(counts),
  }
}

if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', async () => {
    process.stderr.write(`soak-probe ${JSON.stringify(await read(collect))}\n`)
  })
  const leak = LEAKS[process.env.HINTGATE_SOAK_LEAK]
  if (leak !== undefined) subscribe('http.server.request.start', leak)
}
