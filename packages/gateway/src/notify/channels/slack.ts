import type { SlackConfig } from '../../config/build-notify.ts'
import { type Channel, type Delivery, DeliveryError } from '../message/channel.ts'
import { describeEnding, type Line, linesOf, type Message, titleOf } from '../message/message.ts'
import { post } from '../message/post.ts'

/** Creates the value of the buttons. It is sealed, and is valid only for one approval and one channel. */
export interface SlackDeps {
  readonly sealButton: (approval: string, channel: string) => string
}

export const APPROVE_ACTION = 'hintgate_approve'
export const DENY_ACTION = 'hintgate_deny'

/**
 * Creates a Slack channel. With a bot, a message has buttons and changes when the approval is answered. With an
 * incoming webhook, it only informs.
 */
export function createSlack(config: SlackConfig, deps: SlackDeps): Channel {
  const { name: key, filter, afterMs, retry, bot, url } = config
  const common = { key, filter, afterMs, retry }
  if (bot === undefined)
    return {
      ...common,
      async announce(message, { signal }) {
        const body = JSON.stringify({ text: fallbackOf(message), blocks: questionBlocks(message) })
        await post({ url: url ?? '', body, signal, reach: reachOf(config), headers: JSON_TYPE })
        return undefined
      },
    }
  return {
    ...common,
    async announce(message, delivery) {
      const blocks = [...questionBlocks(message), buttons(deps.sealButton(message.id, key))]
      const sent = { channel: bot.channel, text: fallbackOf(message), blocks, ...QUIET }
      const { ts } = await callSlack(config, 'chat.postMessage', sent, delivery)
      return typeof ts === 'string' ? ts : undefined
    },
    async close(message, ending, delivery) {
      if (delivery.reference === undefined) return
      const text = `${describeEnding(ending)}: ${titleOf(message)}`
      const blocks = [...questionBlocks(message), section(`*${escapeSlack(describeEnding(ending))}*`)]
      const sent = { channel: bot.channel, ts: delivery.reference, text: escapeSlack(text), blocks, ...QUIET }
      await callSlack(config, 'chat.update', sent, delivery)
    },
  }
}

/** Sends a text that only one member of the Slack channel sees. */
export async function whisper(
  config: SlackConfig,
  { user, text, signal }: { readonly user: string; readonly text: string; readonly signal: AbortSignal },
): Promise<void> {
  const sent = { channel: config.bot?.channel, user, text: escapeSlack(text) }
  await callSlack(config, 'chat.postEphemeral', sent, { id: '', signal })
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'hintgate' }
/** Without these settings, Slack would open links to make previews. */
const QUIET = { unfurl_links: false, unfurl_media: false }
/** Temporary errors, after which the message is sent again. All other errors require a change of the config. */
const PASSING = new Set([
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

function reachOf({ mayBePrivate }: SlackConfig) {
  return { isConfigured: true, mayBePrivate }
}

async function callSlack(
  config: SlackConfig,
  method: string,
  body: object,
  { signal }: Delivery,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await post({
    url: `${config.api}/${method}`,
    body: JSON.stringify(body),
    signal,
    reach: reachOf(config),
    headers: { ...JSON_TYPE, authorization: `Bearer ${config.bot?.token ?? ''}` },
  })
  const said = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
  if (said.ok === true) return said
  const code = typeof said.error === 'string' && /^[a-z_]{1,60}$/.test(said.error) ? said.error : 'unknown'
  throw new DeliveryError(`Slack says ${code}`, { isFinal: !PASSING.has(code) })
}

/**
 * Escapes the three characters that Slack uses in its markup for links and mentions.
 * @example
 * escapeSlack('<!channel>') // => '&lt;!channel&gt;'
 */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function fallbackOf(message: Message): string {
  return escapeSlack(titleOf(message))
}

/**
 * Maximum number of characters in a block. `MOST_LINES` limits the number of blocks, of which Slack allows fifty per
 * message.
 */
const MOST_IN_BLOCK = 1900
const MOST_LINES = 40

/** Text that others wrote is sent as plain text, in which Slack interprets no markup. */
function questionBlocks(message: Message): readonly object[] {
  return [
    { type: 'section', text: plain(titleOf(message)) },
    ...linesOf(message).slice(0, MOST_LINES).map(lineBlock),
    ...(message.link === undefined ? [] : [section(`<${message.link}|Open in the console>`)]),
  ]
}

function lineBlock({ label, text }: Line) {
  return { type: 'context', elements: [plain(`${label}: ${text}`)] }
}

function plain(text: string) {
  return { type: 'plain_text', emoji: false, text: text.slice(0, MOST_IN_BLOCK) }
}

function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } }
}

function buttons(value: string) {
  return {
    type: 'actions',
    block_id: 'hintgate_answer',
    elements: [
      { type: 'button', style: 'primary', action_id: APPROVE_ACTION, text: plain('Approve'), value },
      { type: 'button', style: 'danger', action_id: DENY_ACTION, text: plain('Deny'), value },
    ],
  }
}
