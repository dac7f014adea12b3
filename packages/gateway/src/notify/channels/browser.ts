import { createHash } from 'node:crypto'
import type { BrowserConfig } from '../../config/build-notify.ts'
import { type Channel, DeliveryError } from '../message/channel.ts'
import { linesOf, type Message, titleOf } from '../message/message.ts'
import { post } from '../message/post.ts'
import { encryptPush } from '../web-push/encrypt-push.ts'
import type { PushSubscribers, Subscriber } from '../web-push/push-subscribers.ts'
import type { VapidKey } from '../web-push/vapid.ts'

export interface BrowserDeps {
  readonly subscribers: PushSubscribers
  readonly vapid: VapidKey
  readonly publicUrl: () => string
  readonly now: () => number
}

/**
 * Maximum number of characters in a message. An encrypted record holds 4096 bytes, and a character can take up to four.
 */
const MOST_OF_BODY = 700
const MOST_REMEMBERED = 1000
const TOPIC_LENGTH = 32

/**
 * Notifies the browsers of everyone who turned notifications on in the console. A click on the notification opens the
 * approval in the console.
 */
export function createBrowserPush(config: BrowserConfig, deps: BrowserDeps): Channel {
  const { name, filter, afterMs, retry } = config
  /** For each delivery, the browsers that already have the message. A repeated attempt skips them. */
  const told = new Map<string, Set<string>>()

  return {
    key: name,
    filter,
    afterMs,
    retry,
    async announce(message, { id, signal }) {
      const done = told.get(id) ?? new Set()
      const left = (await deps.subscribers.list()).filter(one => !done.has(one.id))
      const failures: DeliveryError[] = []
      for (const subscriber of left) {
        const failure = await push(subscriber, { message, signal, config, deps })
        if (failure === undefined) done.add(subscriber.id)
        else failures.push(failure)
      }
      told.set(id, done)
      const passing = failures.find(({ isFinal }) => !isFinal)
      if (passing === undefined || told.size > MOST_REMEMBERED) told.delete(id)
      const [failure] = passing === undefined ? failures : [passing]
      if (failure !== undefined) throw failure
      return undefined
    },
  }
}

interface Push {
  readonly message: Message
  readonly signal: AbortSignal
  readonly config: BrowserConfig
  readonly deps: BrowserDeps
}

/** Sends a message to one browser. Returns the error if the push service did not accept it. */
async function push(
  { id, endpoint, keys }: Subscriber,
  { message, signal, config, deps }: Push,
): Promise<DeliveryError | undefined> {
  const { vapid, now, publicUrl, subscribers } = deps
  const isConfigured = config.services.includes(new URL(endpoint).origin)
  const seconds = Math.max(0, Math.ceil((message.expiresAt - now()) / 1000))
  try {
    await post({
      url: endpoint,
      body: encryptPush(writePayload(message), keys),
      signal,
      reach: { isConfigured, mayBePrivate: isConfigured },
      headers: {
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(seconds),
        urgency: 'high',
        // The push service replaces an older message that has the same topic.
        topic: createHash('sha256').update(message.id).digest('base64url').slice(0, TOPIC_LENGTH),
        authorization: await vapid.authorize(endpoint, config.contact ?? publicUrl(), now()),
      },
    })
    return undefined
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    // HTTP 404 and 410 mean that this browser's subscription no longer exists.
    if (!/^HTTP 4(?:04|10)$/.test(error.message)) return error
    await subscribers.remove(id)
    return undefined
  }
}

function writePayload(message: Message): string {
  const body = linesOf(message)
    .map(({ label, text }) => `${label}: ${text}`)
    .join('\n')
  const title = titleOf(message).slice(0, MOST_OF_BODY / 4)
  return JSON.stringify({ id: message.id, title, body: body.slice(0, MOST_OF_BODY) })
}
