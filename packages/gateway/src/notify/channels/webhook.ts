import { createHmac } from 'node:crypto'
import type { WebhookConfig } from '../../config/build-notify.ts'
import type { Channel, Delivery } from '../message/channel.ts'
import type { Ending, Message } from '../message/message.ts'
import { post } from '../message/post.ts'

interface WebhookEvent {
  readonly type: 'approval.requested' | 'approval.closed'
  readonly approval: Message
  readonly ending?: Ending
}

/**
 * Creates a channel that sends JSON to any program. The signature covers the time and the body, so a receiver can
 * detect changed and replayed messages.
 */
export function createWebhook(config: WebhookConfig, now: () => number): Channel {
  const { url, secret, headers, mayBePrivate } = config

  async function send(event: WebhookEvent, { id, signal }: Delivery): Promise<void> {
    const body = JSON.stringify({ id, ...event })
    const time = String(Math.floor(now() / 1000))
    await post({
      url,
      body,
      signal,
      reach: { isConfigured: true, mayBePrivate },
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'hintgate',
        'x-hintgate-delivery': id,
        'x-hintgate-timestamp': time,
        'x-hintgate-signature': signWebhook(secret, time, body),
      },
    })
  }

  return {
    key: config.name,
    filter: config.filter,
    afterMs: config.afterMs,
    retry: config.retry,
    async announce(approval, delivery) {
      await send({ type: 'approval.requested', approval }, delivery)
      return undefined
    },
    close: (approval, ending, delivery) => send({ type: 'approval.closed', approval, ending }, delivery),
  }
}

/**
 * @example
 * signWebhook(secret, '1795000000', '{}') // => 'v1=…': HMAC-SHA256 of `1795000000.{}`, in hexadecimal
 */
function signWebhook(secret: string, time: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
