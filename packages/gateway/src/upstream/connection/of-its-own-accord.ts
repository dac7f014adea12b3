import { readName } from '../../base/read-name.ts'
import type { Json, Notification } from '../../protocol/messages.ts'
import { exactDigits, isText } from '../../protocol/parse-json.ts'

/** That some list is another now, and nothing else. */
export const LISTS_CHANGED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
])

const UPDATED = 'notifications/resources/updated'

/** What is about the server itself, and nobody's in particular. */
const FOR_ALL: ReadonlySet<string> = new Set([
  ...LISTS_CHANGED,
  UPDATED,
  'notifications/subscriptions/acknowledged',
])

/** All that the protocol has servers ask clients, and that clients of ours can be asked. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
  'ping',
])

/**
 * What the protocol has servers say to nobody. `cancelled` would take questions back, ours and those of other servers,
 * from the client that they were put to: what a server asked has another id there, which it does not know. The others are
 * for clients to say.
 */
const NOT_THEIRS: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/roots/list_changed',
])

/**
 * Extensions of the protocol and their vendors have notifications of their own, which we need not know to pass them on. A
 * method is shown and searched by nobody, so it has to be a plain name, with no room for a message.
 */
const PLAIN_METHOD = /^notifications\/[\w./-]{1,64}$/

/** As `hintgate` is read, also with figures for its letters. */
const OUR_NAME = /h[i1l]n[t7]g[a4][t7][e3]/

const LOG = 'notifications/message'
/** What a logger is called that has the name by which clients know log lines of ours. */
const THEIR_LOGGER = 'server'

export function canBeAsked(method: string): boolean {
  return QUESTIONS.has(method)
}

/** Whether whoever is behind a call may be told this by a server, if nothing in it speaks against it. */
export function mayBeSaid(method: string): boolean {
  return PLAIN_METHOD.test(method) && !NOT_THEIRS.has(method) && !readsAsOurs(method)
}

/**
 * What is for everybody who listens, without a word more than it takes, so that nobody need look at it: who hears of a
 * resource has named it before. Undefined for everything else.
 */
export function readNews({ method, params }: Notification): Notification | undefined {
  if (!FOR_ALL.has(method)) return undefined
  const isUpdate = method === UPDATED && isText(params?.uri)
  return isUpdate ? { jsonrpc: '2.0', method, params: { uri: params?.uri } } : { jsonrpc: '2.0', method }
}

/** All that has to be known of how far a call is: there is nothing to read in it. */
export function inNumbers({ progressToken, progress, total }: Json): Json {
  return {
    progressToken,
    ...(isNumber(progress) ? { progress } : {}),
    ...(isNumber(total) ? { total } : {}),
  }
}

/** A log line under another name than the gateway's own. To be asked of what is shown: what is hidden may be gone from it. */
export function inOwnName(said: Notification): Notification {
  const { method, params } = said
  if (method !== LOG || params?.logger === undefined) return said
  const isTheirs = isText(params.logger) && !readsAsOurs(params.logger)
  return isTheirs ? said : { ...said, params: { ...params, logger: THEIR_LOGGER } }
}

function readsAsOurs(name: string): boolean {
  return OUR_NAME.test(readName(name))
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || exactDigits(value) !== undefined
}
