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
    .describe(
      "The person's name, which the audit log shows as person:NAME. Use the name that the person has elsewhere.",
    ),
  role: maybe(
    z.enum(ROLES),
    "The person's role. With a role below approver, the person is told about calls but cannot answer. Default: approver.",
  ),
})

const filter = z.strictObject({
  servers: maybe(z.array(glob), 'Only calls to these servers; * matches any characters.'),
  variants: maybe(z.array(z.enum(['read', 'write', 'destructive'])), 'Kinds of calls.'),
  consequences: maybe(z.array(z.enum(CONSEQUENCES)), 'Only calls with at least one of these consequences.'),
  agents: maybe(z.array(glob), 'Only calls by these agents; * matches any characters.'),
})

const retry = z.strictObject({
  attempts: maybe(z.int().min(1).max(50), 'Maximum number of attempts. Default: 8.'),
  delay: maybe(
    duration,
    'Delay before the second attempt; it doubles with each further attempt. Default: 1s.',
  ),
  maxDelay: maybe(duration, 'Maximum delay between attempts. Default: 5m.'),
})

const smtp = z.strictObject({
  host: z.string().min(1).describe('The mail server.'),
  port: maybe(z.int().min(1).max(65_535), 'The port. Default: 465 with tls, otherwise 587.'),
  tls: maybe(
    z.enum(['always', 'starttls', 'never']),
    'How the connection is encrypted. never is allowed only for servers on this machine. Default: starttls.',
  ),
  user: maybe(z.string().min(1), 'The user name, if the server requires one.'),
  password: maybe(z.string().min(1), "The user's password, usually from the environment."),
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
    .describe("The channel's name in logs, metrics and URLs."),
  filter: maybe(filter, 'Which calls people are told about. Default: all calls that need approval.'),
  after: maybe(
    duration,
    'How long to wait for a decision before people are told about a call. Default: they are told immediately.',
  ),
  retry: maybe(retry, 'How messages that were not accepted are sent again.'),
  private: maybe(
    z.boolean(),
    'Whether the host name in `url` is allowed to lead to a private address. A literal private address is always allowed. Default: false.',
  ),
  url: maybe(
    safeUrl,
    'The URL that messages are sent to: the webhook, the topic (ntfy), the server (Gotify), or an incoming webhook of Slack or Teams.',
  ),
  headers: maybe(headers, 'Webhook: HTTP headers sent with every message.'),
  secret: maybe(secret, 'Webhook: the key with which messages are signed, usually from the environment.'),
  token: maybe(z.string().min(1), 'Slack: the bot token. ntfy and Gotify: the access token.'),
  channel: maybe(
    z.string().regex(/^[A-Z0-9]{2,32}$/, 'expected the id of a Slack channel, such as C0123456789'),
    "Slack: the channel's id.",
  ),
  signingSecret: maybe(
    secret,
    "Slack: the app's signing secret, which proves that an answer comes from Slack.",
  ),
  api: maybe(safeUrl, 'Slack: the base URL of the API. Default: https://slack.com/api.'),
  people: maybe(
    z.record(z.string().min(1), person),
    'The people who can answer. Slack: user id → person. E-mail: address → person.',
  ),
  person: maybe(
    person,
    'ntfy, Gotify and Teams: the only person who reads this channel. Messages then contain links that approve or deny the call.',
  ),
  smtp: maybe(smtp, 'E-mail: the mail server.'),
  from: maybe(mailbox, 'E-mail: the sender.'),
  to: maybe(
    z.array(mailbox).min(1).max(100),
    'E-mail: the recipients. Each of them gets a separate message.',
  ),
  contact: maybe(
    z.string().regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'expected mailto:… or https://…'),
    'Browser: a mailto: or https: URL at which push services can contact you. Default: publicUrl.',
  ),
  services: maybe(
    z.array(origin),
    'Browser: the origins of push services that are not on the public internet.',
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
      complain(
        key,
        `a channel of type ${given.type} has no "${key}"`,
        `remove the key, or choose another type`,
      )
  for (const address of Object.keys((given.type === 'email' && given.people) || {}))
    if (!given.to?.includes(address))
      ctx.addIssue({
        code: 'custom',
        path: ['people', address],
        message: 'this address is not in "to"',
        params: { fix: 'add the address to "to", or remove it here' },
      })
  if (given.smtp?.tls === 'never' && !/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(given.smtp.host))
    ctx.addIssue({
      code: 'custom',
      path: ['smtp', 'tls'],
      message: 'without TLS, others on the network can read the messages and use the links in them',
      params: { fix: 'use "starttls" or "always"' },
    })
})

/**
 * Returns the additional keys that Slack needs. An incoming webhook, whose messages cannot be answered, needs only
 * `url`; a bot needs more.
 */
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
    consequences: z
      .array(z.enum(CONSEQUENCES))
      .min(1)
      .describe('Only calls with at least one of these consequences.'),
    count: z.int().min(2).max(10).describe('The number of different people who must approve.'),
  }),
)
