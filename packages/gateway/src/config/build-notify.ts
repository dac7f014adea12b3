import type { CallKind, Consequence } from '@hintgate/metadata'
import type { Role } from '../scope/role.ts'
import { defined } from './schema/defined.ts'
import type { NotifyInput } from './schema/notify-schema.ts'

export interface NotifyFilter {
  readonly servers?: readonly string[]
  readonly variants?: readonly CallKind[]
  readonly consequences?: readonly Consequence[]
  readonly agents?: readonly string[]
}

/** A person, and the id by which a channel knows them. */
export interface NotifyPerson {
  readonly name: string
  readonly role: Role
}

export interface RetryRules {
  readonly attempts: number
  readonly delayMs: number
  readonly maxDelayMs: number
}

interface Common {
  readonly name: string
  readonly filter: NotifyFilter
  readonly afterMs: number
  readonly retry: RetryRules
  /** True if the host name is allowed to lead to a private address. */
  readonly mayBePrivate: boolean
}

type People = Readonly<Record<string, NotifyPerson>>

export interface WebhookConfig extends Common {
  readonly type: 'webhook'
  readonly url: string
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
}

/** Slack. With a bot token, messages have buttons, and they change when the approval is answered. */
export interface SlackConfig extends Common {
  readonly type: 'slack'
  readonly url?: string
  readonly bot?: { readonly token: string; readonly channel: string; readonly signingSecret: string }
  readonly api: string
  readonly people: People
}

export interface PushConfig extends Common {
  readonly type: 'teams' | 'ntfy' | 'gotify'
  readonly url: string
  readonly token?: string
  readonly person?: NotifyPerson
}

export interface EmailConfig extends Common {
  readonly type: 'email'
  readonly smtp: {
    readonly host: string
    readonly port: number
    readonly tls: 'always' | 'starttls' | 'never'
    readonly user?: string
    readonly password?: string
  }
  readonly from: string
  readonly to: readonly string[]
  readonly people: People
}

export interface BrowserConfig extends Common {
  readonly type: 'browser'
  readonly contact?: string
  readonly services: readonly string[]
}

export type NotifyConfig = WebhookConfig | SlackConfig | PushConfig | EmailConfig | BrowserConfig

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Builds a channel's config. The schema has already checked that the keys that its type requires are present. */
export function buildNotify(input: NotifyInput): NotifyConfig {
  const { type, url = '', secret = '', token, headers = {} } = input
  const common = {
    name: input.name,
    filter: defined(input.filter ?? {}),
    afterMs: input.after ?? 0,
    retry: {
      attempts: input.retry?.attempts ?? 8,
      delayMs: input.retry?.delay ?? SECOND,
      maxDelayMs: input.retry?.maxDelay ?? 5 * MINUTE,
    },
    mayBePrivate: input.private ?? false,
  }
  switch (type) {
    case 'webhook':
      return { ...common, type, url, secret, headers }
    case 'slack':
      return { ...common, type, ...buildSlack(input) }
    case 'email':
      return { ...common, type, ...buildEmail(input) }
    case 'browser':
      return { ...common, type, services: input.services ?? [], ...defined({ contact: input.contact }) }
    default:
      return {
        ...common,
        type,
        url,
        ...defined({ token, person: input.person && withRole(input.person) }),
      }
  }
}

function buildSlack({ url, token, channel, signingSecret, api, people }: NotifyInput) {
  const isBot = token !== undefined && channel !== undefined && signingSecret !== undefined
  return {
    ...(isBot ? { bot: { token, channel, signingSecret } } : defined({ url })),
    api: (api ?? 'https://slack.com/api').replace(/\/+$/, ''),
    people: withRoles(people),
  }
}

function buildEmail({ smtp, from = '', to = [], people }: NotifyInput) {
  const tls = smtp?.tls ?? 'starttls'
  const port = smtp?.port ?? (tls === 'always' ? 465 : 587)
  return {
    smtp: { host: smtp?.host ?? '', port, tls, ...defined({ user: smtp?.user, password: smtp?.password }) },
    from,
    to,
    people: withRoles(people),
  }
}

function withRoles(people: NotifyInput['people']): People {
  return Object.fromEntries(Object.entries(people ?? {}).map(([id, person]) => [id, withRole(person)]))
}

function withRole({ name, role }: NonNullable<NotifyInput['person']>): NotifyPerson {
  return { name, role: role ?? 'approver' }
}
