/** The load of one replica. These are assumptions; replace them with your own figures. */
export interface Workload {
  readonly name: string
  readonly callsPerSecond: number
}

/** Of all calls. */
export const SHARES = {
  /** Not read-only: two audit rows with waiting; a read is one row without waiting. */
  writes: 0.3,
  /** By tools with a risk factor: their session is looked up. */
  judged: 0.5,
  /** Calls that add a new risk factor to their session, which is stored. */
  bringing: 0.02,
  /** Calls that need approval: a request, a decision, and its use. */
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

/** The gateway's values: connect.ts, changes.ts, process-mark.ts, group-commit.ts. */
export const SETTINGS = {
  connections: 9,
  pollsPerSecond: 1 / 0.3,
  heartbeatsPerSecond: 1 / 10,
  fullBatch: 64,
  hurriedMs: 2,
  unhurriedMs: 25,
} as const
