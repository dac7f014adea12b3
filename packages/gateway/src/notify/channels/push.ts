import type { PushConfig } from '../../config/build-notify.ts'
import type { AnswerLinks } from '../answers/links.ts'
import type { Channel } from '../message/channel.ts'
import { type Line, linesOf, type Message, titleOf } from '../message/message.ts'
import { post } from '../message/post.ts'

interface Parts {
  readonly url: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

type Write = (message: Message, answer: string | undefined, config: PushConfig) => Parts

/**
 * Creates a channel for a service that accepts one JSON message. If the channel has only one reader, the message
 * contains links with which this person can answer.
 */
export function createPush(config: PushConfig, links: AnswerLinks): Channel {
  const { name, filter, afterMs, retry, mayBePrivate } = config
  return {
    key: name,
    filter,
    afterMs,
    retry,
    async announce(message, { signal }) {
      const answer = links.write({ approval: message.id, channel: name, recipient: '' })
      const { url, body, headers } = WRITERS[config.type](message, answer, config)
      await post({
        url,
        body: JSON.stringify(body),
        signal,
        reach: { isConfigured: true, mayBePrivate },
        headers: { 'content-type': 'application/json', 'user-agent': 'hintgate', ...headers },
      })
      return undefined
    },
  }
}

const WRITERS: Readonly<Record<PushConfig['type'], Write>> = {
  teams: writeTeams,
  ntfy: writeNtfy,
  gotify: writeGotify,
}

const lineText = ({ label, text }: Line): string => `${label}: ${text}`

const TITLE = 'A call is waiting for approval'
/** Maximum number of characters in a message. The services accept 4096 bytes, and a character can take up to four. */
const MOST_OF_PUSH = 900

function textOf(message: Message): string {
  const text = [titleOf(message), ...linesOf(message).map(lineText)].join('\n')
  return text.length <= MOST_OF_PUSH
    ? text
    : `${text.slice(0, MOST_OF_PUSH)}… [shortened; read the whole call before you approve]`
}

/**
 * Writes a message for ntfy (https://docs.ntfy.sh/publish/#publish-as-json), in plain text. The buttons send a POST, so
 * a link preview cannot trigger them.
 */
function writeNtfy(message: Message, answer: string | undefined, { url, token }: PushConfig): Parts {
  const target = new URL(url)
  const topic = target.pathname.split('/').filter(Boolean).at(-1) ?? ''
  target.pathname = target.pathname.replace(/[^/]*\/*$/, '')
  const press = (label: string, decision: string) => ({
    action: 'http',
    label,
    url: answer,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `decision=${decision}`,
    clear: true,
  })
  return {
    url: target.href,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: {
      topic,
      title: TITLE,
      message: textOf(message),
      priority: 4,
      ...(message.link === undefined ? {} : { click: answer ?? message.link }),
      ...(answer === undefined ? {} : { actions: [press('Approve', 'approve'), press('Deny', 'deny')] }),
    },
  }
}

/** Writes a message for Gotify (https://gotify.net/docs/msgextras), in plain text. */
function writeGotify(message: Message, answer: string | undefined, { url, token = '' }: PushConfig): Parts {
  const click = answer ?? message.link
  return {
    url: `${url.replace(/\/+$/, '')}/message`,
    headers: { 'x-gotify-key': token },
    body: {
      title: TITLE,
      message: textOf(message),
      priority: 8,
      extras: {
        'client::display': { contentType: 'text/plain' },
        ...(click === undefined ? {} : { 'client::notification': { click: { url: click } } }),
      },
    },
  }
}

/**
 * Writes an adaptive card for Teams. It consists of text runs, which are shown as they are; text blocks would be read
 * as Markdown.
 */
function writeTeams(message: Message, answer: string | undefined, { url }: PushConfig): Parts {
  const rich = (text: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  })
  const links = [
    ...(answer === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'Answer', url: answer }]),
    ...(message.link === undefined
      ? []
      : [{ type: 'Action.OpenUrl', title: 'Open in the console', url: message.link }]),
  ]
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      rich(titleOf(message), { weight: 'Bolder', size: 'Medium' }),
      ...linesOf(message).map(line => rich(lineText(line), line.isUntrusted ? { italic: true } : {})),
    ],
    actions: links,
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { url, body: { type: 'message', attachments: [attachment] } }
}
