const KB = 1024
const MB = 1024 * KB

/** What one caller may have of something, what there is for all together, and what happens at the limit. */
interface Limit {
  /** What is counted. */
  readonly of: string
  /** A number, or the key of the config that has it. */
  readonly perCaller?: unknown
  readonly inAll?: unknown
  readonly atLimit: string
  readonly [more: string]: unknown
}

/**
 * Every number at which somebody is refused, has to wait or is cut off for what they hold, and the config key where an
 * operator sets it. How large one message may be is said by the config alone; what is in the store (rates of tokens, open
 * approvals, kept results) has its limits there, because it outlives the process.
 */
export const LIMITS = {
  connections: {
    of: 'connections over HTTP',
    inAll: 'limits.connections',
    atLimit: 'the one makes way that was of no use to anybody known for the longest time',
  },
  calls: {
    of: 'requests that are still coming, and as many calls',
    perCaller: 'limits.callsPerPrincipal',
    inAll: 'limits.concurrentCalls',
    atLimit: 'refused: 429 to who has too many, 503 where all together do',
  },
  streams: {
    of: 'streams that stay open',
    perCaller: 'limits.streamsPerPrincipal',
    inAll: 'limits.streams',
    /** Bytes that wait for a slow reader. */
    perStream: 'limits.streamQueue',
    atLimit: 'refused as calls are; ended where it is too much for one, or the credential is over',
  },
  bodies: {
    of: 'bytes of long request bodies until their calls are over',
    perCaller: 'limits.bodiesPerPrincipal',
    /** Of that, for calls that wait for their client: those stay for minutes. */
    parkedPart: 1 / 4,
    atLimit: 'refused with 429; of parked calls the oldest goes',
  },
  unread: {
    of: 'bytes of answers that were sent and not read',
    perCaller: 'limits.unreadPerPrincipal',
    inAll: 'limits.unreadTotal',
    /** What is shorter is bounded by the number of calls, and mostly read before anybody could count it. */
    leastBytes: 64 * KB,
    atLimit: 'the answer is lost and says so, and the next call is refused with 429',
  },
  standstill: {
    of: 'time in which a body does not come, a reader does not read, or nobody comes back to a session or a parked call',
    perCaller: 'limits.bodyTime, limits.unreadTime, limits.sessionIdle, limits.parkedTime',
    atLimit: 'ended: 408 for the body, the connection of the reader, the session, the call',
  },
  sessions: {
    of: 'sessions, and connections to a server that a session has to itself',
    perCaller: 'limits.sessionsPerPrincipal, mcpServers.*.sessionsPerPrincipal',
    inAll: 'limits.sessions, mcpServers.*.sessions',
    atLimit: 'refused; of connections the one that its owner used least recently ends first',
  },
  turns: {
    of: 'calls running at a server, and calls waiting for it',
    /** Of the places, and of the line. */
    perCaller: 3 / 4,
    /** Of the places, as long as others wait. */
    whileOthersWait: 1 / 2,
    /** Of the places, besides: calls that were called off, and that the server may still be at for so long. */
    leftBehind: 1 / 4,
    leftBehindMs: 5000,
    inAll: 'mcpServers.*.concurrency, mcpServers.*.queue',
    /** An issuer that people sign in with is asked by address. */
    ofIssuer: { places: 4, waiting: 1000, patienceMs: 30_000 },
    atLimit: 'waits in line, the callers in turn; refused as overloaded where the line is full',
  },
  questions: {
    of: 'questions to clients without an answer, of one call and of one server, and characters of them',
    perCaller: 'limits.parkedPerPrincipal',
    inAll: 'limits.parkedCalls',
    ofCall: { count: 32, length: 8_000_000 },
    /** Each may keep a call open that has left its place, so that there are as many sockets besides. */
    ofServer: { count: 1024, length: 8_000_000 },
    atLimit: 'the server is told that nobody can be asked; of parked calls the oldest goes',
  },
  longWork: {
    of: 'time of everybody, for one thing of a caller that takes long',
    /** Of text: what is shorter takes a millisecond or two, whatever it is made of, or some hundredths of a second. */
    leastBody: 8 * KB,
    leastAnswer: 256 * KB,
    /** What takes less is followed by the next at once, in a round of the event loop of its own. */
    shortMs: 5,
    mostRestMs: 200,
    /** Bytes of answers that wait: taken apart they are several times as long. */
    perCaller: 32 * MB,
    atLimit:
      'waits in line, the callers in turn, and rests as long as it took; what is too much for the line goes on without',
  },
  talk: {
    of: 'messages of a server that answer nothing, and milliseconds of our time for them',
    /** Of one connection, and of one call that has a stream to itself. */
    messages: { perSecond: 2000, atOnce: 2000, longestS: 10 },
    /** Of one call, whatever others say: a word on how far it is, and some lines of a log. */
    little: { perSecond: 10, atOnce: 50, longestS: 10 },
    /** Of all calls with streams: one that is loud leaves most of it to the others. They are all heard once more after a pause. */
    inAll: { perSecond: 8000, atOnce: 8000, longestS: 30 },
    /** Lines of event streams that bring nothing. */
    lines: { perSecond: 10_000, atOnce: 20_000, longestS: 10 },
    /** Over all connections of a server: a small part of the time, and at once no more than others hardly notice. */
    workMs: { perSecond: 100, atOnce: 100, longestS: 3 },
    mostPausedMs: 60_000,
    longestNotification: 64 * KB,
    atLimit:
      'the server is not listened to for a while; log lines are left out, and longer notifications not heard',
  },
  watched: {
    of: 'resources of a server that somebody watches, and characters of their addresses',
    perCaller: { count: 256, length: 64 * KB },
    inAll: { count: 4096, length: MB },
    atLimit: 'refused',
  },
} as const satisfies Readonly<Record<string, Limit>>
