/** What one replica is asked to do. Assumptions: whoever has other figures puts them in here. */
export interface Workload {
  readonly name: string
  readonly callsPerSecond: number
}

/** Of all calls. */
export const SHARES = {
  /** Not read-only: two audit rows that somebody waits for; a read is one row that nobody waits for. */
  writes: 0.3,
  /** By tools that bring private data, untrusted content or external communication: the risk factors of their session are looked up. */
  judged: 0.5,
  /** That bring something new into their session, which is written down. */
  bringing: 0.02,
  /** That a person is asked about: a request, a decision, and the use of it. */
  asked: 0.005,
} as const

/** Changes of tokens, reviews and overrides by people, in all replicas together. */
export const CHANGES_BY_PEOPLE_PER_HOUR = 60

export const WORKLOADS: readonly Workload[] = [
  { name: 'quiet', callsPerSecond: 1 },
  { name: 'usual', callsPerSecond: 20 },
  { name: 'busy', callsPerSecond: 200 },
]

export const REPLICAS = [1, 10, 100, 1000] as const

/** Servers behind the gateway, and agents at one replica that are active at a time. */
export const SERVERS = 10
export const ACTIVE_AGENTS = 50

/** As the gateway has them: connect.ts, changes.ts, process-mark.ts, group-commit.ts. */
export const SETTINGS = {
  connections: 9,
  pollsPerSecond: 1 / 0.3,
  heartbeatsPerSecond: 1 / 10,
  fullBatch: 64,
  hurriedMs: 2,
  unhurriedMs: 25,
} as const
