import { lookup } from 'node:dns/promises'
import { isAddress, isPublicAddress } from '../../base/public-address.ts'
import type { EmailConfig } from '../../config/build-notify.ts'
import type { AnswerLinks } from '../answers/links.ts'
import { type Channel, DeliveryError } from '../message/channel.ts'
import { escapeHtml } from '../message/escape-html.ts'
import { linesOf, type Message, titleOf } from '../message/message.ts'

const TIMEOUT_MS = 15_000

/**
 * Creates one channel for each recipient. Each recipient gets a personal link, and a refused address does not cause
 * repeated mails to the others.
 */
export function createMail(config: EmailConfig, links: AnswerLinks): readonly Channel[] {
  return config.to.map(recipient => createMailbox(config, recipient, links))
}

function createMailbox(config: EmailConfig, recipient: string, links: AnswerLinks): Channel {
  const { name, filter, afterMs, retry } = config
  return {
    key: `${name}/${recipient}`,
    filter,
    afterMs,
    retry,
    async announce(message, { id }) {
      const answer = links.write({ approval: message.id, channel: name, recipient })
      await sendMail(config, { recipient, id, message, answer })
      return undefined
    },
  }
}

interface Mail {
  readonly recipient: string
  readonly id: string
  readonly message: Message
  readonly answer: string | undefined
}

async function sendMail(config: EmailConfig, { recipient, id, message, answer }: Mail): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...(await connectionOf(config)),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Text in a message must never make the mailer attach a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from: config.from,
      to: { name: '', address: recipient },
      subject: `Approval needed: ${titleOf(message)}`.slice(0, MOST_OF_SUBJECT),
      // The id is the same for every attempt, so that a mailbox shows a repeated mail only once.
      messageId: `<${id.replaceAll(/[^\w.-]/g, '_')}@hintgate>`,
      text: writeText(message, answer),
      html: writeHtml(message, answer),
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } catch (error) {
    throw toDeliveryError(error)
  } finally {
    transport.close()
  }
}

const MOST_OF_SUBJECT = 200

/**
 * Returns the connection settings. The host name is looked up here, to make sure that it does not lead to a private
 * address unless the config allows that.
 */
async function connectionOf({ smtp, mayBePrivate }: EmailConfig) {
  const { host, port, tls, user, password } = smtp
  const isNamed = !mayBePrivate && !isAddress(host) && host !== 'localhost'
  return {
    host: isNamed ? await lookUpPublicHost(host) : host,
    port,
    secure: tls === 'always',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'never',
    ...(isNamed ? { tls: { servername: host } } : {}),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
  }
}

async function lookUpPublicHost(host: string): Promise<string> {
  const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw new DeliveryError(error.code ?? 'the host name could not be found')
  })
  const [first] = found
  if (first !== undefined && found.every(({ address }) => isPublicAddress(address))) return first.address
  throw new DeliveryError('the mail server has a private address; if that is intended, set "private": true')
}

function writeText(message: Message, answer: string | undefined): string {
  return [
    titleOf(message),
    '',
    ...linesOf(message).map(({ label, text }) => `${label}: ${text}`),
    '',
    ...(answer === undefined ? [] : [`Answer: ${answer}`]),
    ...(message.link === undefined ? [] : [`Open in the console: ${message.link}`]),
    '',
  ].join('\n')
}

function writeHtml(message: Message, answer: string | undefined): string {
  const rows = linesOf(message).map(
    ({ label, text, isUntrusted }) =>
      `<p><b>${escapeHtml(label)}</b><br>${isUntrusted ? `<i>${escapeHtml(text)}</i>` : escapeHtml(text)}</p>`,
  )
  const link = (text: string, url: string | undefined): string =>
    url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${text}</a></p>`
  return [
    `<h2>${escapeHtml(titleOf(message))}</h2>`,
    ...rows,
    link('Answer', answer),
    link('Open in the console', message.link),
  ].join('\n')
}

/** Returns an error that contains only codes. The mail server's own text could quote an address or a user name. */
function toDeliveryError(error: unknown): DeliveryError {
  const { responseCode, code } = error as { readonly responseCode?: number; readonly code?: string }
  const isFinal = code === 'EAUTH' || (responseCode !== undefined && responseCode >= 500)
  const known = code !== undefined && /^[A-Z]{2,20}$/.test(code) ? code : 'no connection'
  return new DeliveryError(responseCode === undefined ? known : `SMTP ${responseCode} (${known})`, {
    isFinal,
  })
}
