import { CONSEQUENCES } from '@hintgate/metadata'
import { z } from 'zod'
import { ROLES } from '../../scope/role.ts'
import { duration, glob, headers, maybe, origin, safeUrl } from './leaves.ts'

/** Channels that tell people about calls that wait for approval. */

const NOTIFY_TYPES = ['webhook', 'slack', 'teams', 'ntfy', 'gotify', 'email', 'browser'] as const
type NotifyType = (typeof NOTIFY_TYPES)[number]

const person = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.@+-]{1,128}$/, 'expected a name of letters, digits, dots, dashes, + and @')
    .describe('The name in the audit log, as `person:NAME`: the one that the person has elsewhere too.'),
  role: maybe(z.enum(ROLES), 'Below approver, the person is told and cannot answer. Default: approver.'),
})

const filter = z.strictObject({
  servers: maybe(z.array(glob), 'Servers; * matches any characters.'),
  variants: maybe(z.array(z.enum(['read', 'write', 'destructive'])), 'Kinds of calls.'),
  consequences: maybe(z.array(z.enum(CONSEQUENCES)), 'What the call leads to; one is enough.'),
  agents: maybe(z.array(glob), 'Names of agents; * matches any characters.'),
})

const retry = z.strictObject({
  attempts: maybe(z.int().min(1).max(50), 'Maximum number of attempts. Default: 8.'),
  delay: maybe(duration, 'Delay before the second attempt; it doubles with each one. Default: 1s.'),
  maxDelay: maybe(duration, 'Maximum delay between attempts. Default: 5m.'),
})

const smtp = z.strictObject({
  host: z.string().min(1).describe('The mail server.'),
  port: maybe(z.int().min(1).max(65_535), 'Default: 465 with tls, else 587.'),
  tls: maybe(
    z.enum(['always', 'starttls', 'never']),
    'How the connection is encrypted; never only on this machine. Default: starttls.',
  ),
  user: maybe(z.string().min(1), 'The user, if the server wants one.'),
  password: maybe(z.string().min(1), 'Its password, usually from the environment.'),
})

const secret = z.string().min(16, 'expected a secret of at least 16 characters')
const mailbox = z
  .string()
  .regex(/^[^\s<>,;:"()[\]\\@\p{C}]+@[A-Za-z0-9.-]+$/u, 'expected an e-mail address such as ada@example.com')

const fields = z.strictObject({
  type: z.enum(NOTIFY_TYPES).describe('The kind of channel.'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'expected a name of letters, digits, dots, dashes and underscores')
    .describe('The name of the channel, in logs, metrics and addresses.'),
  filter: maybe(filter, 'Which calls it tells of. Default: all that ask.'),
  after: maybe(duration, 'Tells only of calls that nobody has decided by then. Default: at once.'),
  retry: maybe(retry, 'How a message that was not accepted is repeated.'),
  private: maybe(
    z.boolean(),
    'Whether the host name in `url` may lead to a private address. Literal addresses always may. Default: false.',
  ),
  url: maybe(
    safeUrl,
    'Where messages are sent: the webhook, the topic (ntfy), the server (Gotify), or an incoming webhook of Slack or Teams.',
  ),
  headers: maybe(headers, 'Webhook: HTTP headers sent with every message.'),
  secret: maybe(secret, 'Webhook: the key of its signature, usually from the environment.'),
  token: maybe(z.string().min(1), 'Slack: the bot token. ntfy, Gotify: the access token.'),
  channel: maybe(
    z.string().regex(/^[A-Z0-9]{2,32}$/, 'expected the id of a channel, such as C0123456789'),
    'Slack: the id of the channel.',
  ),
  signingSecret: maybe(
    secret,
    'Slack: the signing secret of the app, which proves that an answer comes from Slack.',
  ),
  api: maybe(safeUrl, 'Slack: the base address of the API. Default: https://slack.com/api.'),
  people: maybe(
    z.record(z.string().min(1), person),
    'Who may answer. Slack: user id → person. E-mail: address → person.',
  ),
  person: maybe(
    person,
    'For ntfy, Gotify and Teams: the one person who reads this channel. Messages then contain links that approve or deny the call.',
  ),
  smtp: maybe(smtp, 'E-mail: the mail server.'),
  from: maybe(mailbox, 'E-mail: the sender.'),
  to: maybe(z.array(mailbox).min(1).max(100), 'E-mail: the recipients. Each gets a message of their own.'),
  contact: maybe(
    z.string().regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'expected mailto:… or https://…'),
    'Browser: whom a push service may contact. Default: publicUrl.',
  ),
  services: maybe(
    z.array(origin),
    'Browser: push services that are not on the public internet, by their origins.',
  ),
})

type Key = keyof z.output<typeof fields>

interface Keys {
  readonly needs: readonly Key[]
  readonly takes: readonly Key[]
}

const COMMON: readonly Key[] = ['type', 'name', 'filter', 'after', 'retry', 'private']
const KEYS: Readonly<Record<NotifyType, Keys>> = {
  webhook: { needs: ['url', 'secret'], takes: ['headers'] },
  slack: { needs: [], takes: ['url', 'token', 'channel', 'signingSecret', 'api', 'people'] },
  teams: { needs: ['url'], takes: ['person'] },
  ntfy: { needs: ['url'], takes: ['token', 'person'] },
  gotify: { needs: ['url', 'token'], takes: ['person'] },
  email: { needs: ['smtp', 'from', 'to'], takes: ['people'] },
  browser: { needs: [], takes: ['contact', 'services'] },
}

const channel = fields.superRefine((given, ctx) => {
  const complain = (path: string, message: string, fix: string): void =>
    ctx.addIssue({ code: 'custom', path: [path], message, params: { fix } })
  const { needs, takes } = KEYS[given.type]
  const missing = [...needs, ...missingForSlack(given)].filter(key => given[key] === undefined)
  for (const key of missing)
    ctx.addIssue({
      code: 'custom',
      path: [],
      message: `a channel of type ${given.type} needs "${key}"`,
      params: { fix: `add "${key}"` },
    })
  const known: readonly string[] = [...COMMON, ...needs, ...takes]
  for (const key of Object.keys(given))
    if (!known.includes(key))
      complain(key, `a channel of type ${given.type} has no "${key}"`, `remove it, or choose another type`)
  for (const address of Object.keys((given.type === 'email' && given.people) || {}))
    if (!given.to?.includes(address))
      ctx.addIssue({
        code: 'custom',
        path: ['people', address],
        message: 'this address is not in "to"',
        params: { fix: 'add it to "to", or remove it here' },
      })
  if (given.smtp?.tls === 'never' && !/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(given.smtp.host))
    ctx.addIssue({
      code: 'custom',
      path: ['smtp', 'tls'],
      message: 'without TLS, everybody on the way can read the messages and use their links',
      params: { fix: 'use "starttls" or "always"' },
    })
})

/** An incoming webhook only tells; a bot can also be answered. */
function missingForSlack({ type, url }: z.output<typeof fields>): readonly Key[] {
  return type === 'slack' && url === undefined ? ['token', 'channel', 'signingSecret'] : []
}

export const notify = z.array(channel).superRefine((channels, ctx) => {
  channels.forEach(({ name }, at) => {
    if (channels.findIndex(other => other.name.toLowerCase() === name.toLowerCase()) === at) return
    ctx.addIssue({
      code: 'custom',
      path: [at, 'name'],
      message: 'another channel has this name',
      params: { fix: 'choose another name' },
    })
  })
})

export type NotifyInput = z.output<typeof channel>

export const approvers = z.array(
  z.strictObject({
    consequences: z.array(z.enum(CONSEQUENCES)).min(1).describe('What the call leads to; one is enough.'),
    count: z.int().min(2).max(10).describe('How many different people must approve.'),
  }),
)
