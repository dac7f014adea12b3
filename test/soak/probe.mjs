// Loaded into the gateway (node --import): at SIGUSR2 it collects all garbage and writes to stderr what is left, as
// `soak-probe {…}`. Counts of objects say more than bytes: one forgotten timer for each call is seen at once, also one that
// was unref'd, or has run and is still held. Each count takes a second or so, in which nothing else happens.
// HINTGATE_SOAK_LEAK=memory|timers|listeners forgets something at every request: the soak has to notice.
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
  // A listener that was not taken off is one of these.
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
    // What finalizers let go goes with the next round.
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
