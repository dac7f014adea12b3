const KB = 1024
const MB = 1024 * KB

/** A limit: how much one caller can hold, how much all callers can hold together, and what happens at the limit. */
interface Limit {
  /** The thing that is counted. */
  readonly of: string
  /** A number, or the config key that sets it. */
  readonly perCaller?: unknown
  readonly inAll?: unknown
  readonly atLimit: string
  readonly [more: string]: unknown
}

/**
 * Every limit on what a caller can hold, with the config key that sets it. Limits on the size of a single message are
 * only in the config. Limits on stored things (token rates, open approvals, tasks, stored results) belong to the store,
 * because they outlive the process.
 */
export const LIMITS = {
  connections: {
    of: 'HTTP connections',
    inAll: 'limits.connections',
    atLimit: 'closes the connection that has gone longest without an authenticated request',
  },
  calls: {
    of: 'requests that are still arriving, and separately, running calls',
    perCaller: 'limits.callsPerPrincipal',
    inAll: 'limits.concurrentCalls',
    atLimit: 'refused: 429 for a caller over its limit, 503 when the total is reached',
  },
  streams: {
    of: 'open streams',
    perCaller: 'limits.streamsPerPrincipal',
    inAll: 'limits.streams',
    /** The config key for the number of bytes queued for a slow reader. */
    perStream: 'limits.streamQueue',
    atLimit: 'refused like calls; a stream is closed when its queue is full or its credential expires',
  },
  bodies: {
    of: 'bytes of long request bodies until their calls end',
    perCaller: 'limits.bodiesPerPrincipal',
    /**
     * The share of these bytes that parked calls can take. It is small, because parked calls stay in memory for
     * minutes.
     */
    parkedPart: 1 / 4,
    atLimit: 'refused with 429; for parked calls, the oldest one is dropped',
  },
  unread: {
    of: 'bytes of answers that were sent but not read',
    perCaller: 'limits.unreadPerPrincipal',
    inAll: 'limits.unreadTotal',
    /** Shorter answers are not counted: the number of calls limits them, and they are usually read immediately. */
    leastBytes: 64 * KB,
    atLimit: 'the answer is replaced by an error, and the next call is refused with 429',
  },
  standstill: {
    of: 'time without progress: a body that does not arrive, a reader that does not read, an idle session or parked call',
    perCaller: 'limits.bodyTime, limits.unreadTime, limits.sessionIdle, limits.parkedTime',
    atLimit: "ends: a body with 408; the reader's connection, the session or the parked call is closed",
  },
  sessions: {
    of: "sessions, and a session's own connections to a server",
    perCaller: 'limits.sessionsPerPrincipal, mcpServers.*.sessionsPerPrincipal',
    inAll: 'limits.sessions, mcpServers.*.sessions',
    atLimit: 'refused; for connections, the least recently used one of the same owner is closed first',
  },
  turns: {
    of: 'calls in progress at a server, and calls that wait for it',
    /** The share of the slots and of the queue that one caller can take. */
    perCaller: 3 / 4,
    /** The share of the slots that one caller can take while others wait. */
    whileOthersWait: 1 / 2,
    /**
     * The share of slots added for cancelled calls that the server might still be executing, for at most `abandonedMs`.
     */
    abandoned: 1 / 4,
    abandonedMs: 5000,
    inAll: 'mcpServers.*.concurrency, mcpServers.*.queue',
    /** For requests to the issuers that people sign in with. Here a caller is an IP address. */
    ofIssuer: { slots: 4, waiting: 1000, patienceMs: 30_000 },
    atLimit: 'waits in the queue, callers in turn; refused as overloaded when the queue is full',
  },
  questions: {
    of: 'unanswered questions to clients, for one call and one server, and their length in characters',
    perCaller: 'limits.parkedPerPrincipal',
    inAll: 'limits.parkedCalls',
    ofCall: { count: 32, length: 8_000_000 },
    /**
     * A call that waits for an answer to a question stays open without a slot, so this many more sockets can be open.
     */
    ofServer: { count: 1024, length: 8_000_000 },
    atLimit:
      'the server is told that the question cannot be asked; for parked calls, the oldest one is dropped',
  },
  longWork: {
    of: 'time that the gateway spends on one long piece of work for a caller',
    /** In characters. Shorter bodies take a millisecond or two, and shorter answers less than 0.1 seconds. */
    leastBody: 8 * KB,
    leastAnswer: 256 * KB,
    /** Work that takes less time than this needs no pause: the next piece runs in the next round of the event loop. */
    shortMs: 5,
    mostRestMs: 200,
    /** Bytes of waiting answers per caller. Once parsed, the answers take several times as much memory. */
    perCaller: 32 * MB,
    atLimit:
      'waits in the queue, callers in turn, with pauses as long as the work took; work that does not fit in the queue runs immediately',
  },
  talk: {
    of: 'messages from a server that are not replies, and the milliseconds spent processing them',
    /** For one connection, and for one call with its own stream. */
    messages: { perSecond: 2000, atOnce: 2000, longestS: 10 },
    /**
     * Each call's own allowance, independent of what other calls receive. It is enough for progress and a few log
     * lines.
     */
    little: { perSecond: 10, atOnce: 50, longestS: 10 },
    /** For all calls with streams together. One noisy call cannot use most of it. */
    inAll: { perSecond: 8000, atOnce: 8000, longestS: 30 },
    /** Event stream lines without content. */
    lines: { perSecond: 10_000, atOnce: 20_000, longestS: 10 },
    /**
     * Processing time for all connections of a server: a tenth of all time, in bursts that other servers hardly notice.
     */
    workMs: { perSecond: 100, atOnce: 100, longestS: 3 },
    mostPausedMs: 60_000,
    longestNotification: 64 * KB,
    atLimit: 'reading from the server pauses; log lines and long notifications are dropped',
  },
  watched: {
    of: "a server's resources that have subscribers, and the total length of their URIs in characters",
    perCaller: { count: 256, length: 64 * KB },
    inAll: { count: 4096, length: MB },
    atLimit: 'refused',
  },
} as const satisfies Readonly<Record<string, Limit>>
