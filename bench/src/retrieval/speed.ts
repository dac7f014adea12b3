import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type SearchDocument, SearchIndex } from '@hintgate/gateway/search'
import { listJsonl } from '../data/read-jsonl.ts'
import { type Query, type RetrievalSet, readRows, readTool } from './load-sets.ts'
import { mean } from './metrics.ts'

export interface SpeedResults {
  readonly tools: number
  readonly servers: number
  /** CPU milliseconds of one query. */
  readonly query50: number
  /** Over all runs, including garbage collection, compilation and other work of the process. */
  readonly query99AsItCame: number
  /** Over the best of several runs of each query. */
  readonly query99: number
  /** CPU milliseconds to replace the 50 tools of one server, the mean of several. */
  readonly update50: number
  /** CPU microseconds to add one tool. */
  readonly addTool: number
  readonly megabytes: number
}

const SIZES = [10_000, 50_000]
const TOOLS_PER_SERVER = 50
const WARM_UP = 1_000
const QUERIES = 1_000
const UPDATES = 40
/** CPU time includes all threads of the process, so the best of several runs is the cost of the query itself. */
const RUNS = 3

/** Measures the index on large catalogs, in CPU time, because other processes affect elapsed time. */
export async function measureSpeed(
  dataFolder: string,
  sets: readonly RetrievalSet[],
): Promise<readonly SpeedResults[]> {
  const seeds = await loadSeeds(dataFolder, sets)
  const queries = sampleQueries(sets)
  return SIZES.map(size => measureSize(inventServers(seeds, size), queries))
}

function measureSize(
  servers: ReadonlyMap<string, readonly SearchDocument[]>,
  queries: readonly string[],
): SpeedResults {
  const before = measureMemory()
  const index = new SearchIndex()
  const building = measureCpu(() => {
    for (const [server, documents] of servers) index.replaceServer(server, documents)
  })
  const megabytes = (measureMemory() - before) / 1e6
  const accept = (id: string): boolean => id !== ''
  const ask = (query: string): number => measureCpu(() => index.search(query, { limit: 8, accept }))
  for (const query of queries.slice(0, WARM_UP)) ask(query)
  const runs = queries.map(query => Array.from({ length: RUNS }, () => ask(query)))
  const best = runs.map(own => Math.min(...own))
  const updates = [...servers]
    .slice(0, UPDATES)
    .map(([server, documents]) => measureCpu(() => index.replaceServer(server, documents)))
  return {
    tools: index.size,
    servers: servers.size,
    query50: quantile(best, 0.5),
    query99AsItCame: quantile(runs.flat(), 0.99),
    query99: quantile(best, 0.99),
    update50: mean(updates),
    addTool: (building * 1000) / index.size,
    megabytes,
  }
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

function measureCpu(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function measureMemory(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Real tools if the data folder has them, else those of the sets. */
async function loadSeeds(
  dataFolder: string,
  sets: readonly RetrievalSet[],
): Promise<readonly SearchDocument[]> {
  const folders = ['annotations', 'unannotated'].map(name => join(dataFolder, name))
  const files = await Promise.all(folders.map(folder => listJsonl(folder).catch(() => [])))
  const own = sets.flatMap(({ tools }) => tools)
  return [...own, ...(await readRows(files.flat(), { parse: readTool, problems: [] }))]
}

function sampleQueries(sets: readonly RetrievalSet[]): readonly string[] {
  const all = sets.flatMap(({ queries }) => queries.map(({ text }: Query) => text))
  const step = all.length / QUERIES
  return Array.from({ length: QUERIES }, (_, at) => all[Math.floor(at * step)] ?? '')
}

/** Copies of real tools, each with a few invented words, so that the vocabulary grows as in real catalogs. */
function inventServers(
  seeds: readonly SearchDocument[],
  size: number,
): ReadonlyMap<string, readonly SearchDocument[]> {
  const servers = new Map<string, SearchDocument[]>()
  for (let at = 0; at < size; at += 1) {
    const seed = seeds[(at * 7919) % seeds.length]
    if (seed === undefined) break
    const server = `server${Math.floor(at / TOOLS_PER_SERVER)}`
    const name = `${seed.name}_${inventWord(at)}`
    const description = `${seed.description} ${inventWord(Math.floor(at / 3))} ${inventWord(at % 997)}`
    const own = servers.get(server) ?? []
    own.push({ ...seed, id: `${server}:${name}`, server, name, description })
    servers.set(server, own)
  }
  return servers
}

const SYLLABLES = 'ba ke li mo nu ra se ti vo zu da fe gi ho ju la'.split(' ')

function inventWord(number: number): string {
  return [number, number >> 4, number >> 8, number >> 12].map(part => SYLLABLES[part & 15] ?? '').join('')
}
