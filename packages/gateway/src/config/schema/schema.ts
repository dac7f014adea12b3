import { HINTS } from '@hintgate/metadata'
import { z } from 'zod'
import { LOG_FORMATS, LOG_LEVELS } from '../../base/log-levels.ts'
import {
  count,
  duration,
  glob,
  headers,
  hostName,
  httpUrl,
  listen,
  moment,
  origin,
  permission,
  rate,
  secret,
  size,
  storeUrl,
} from './leaves.ts'
import { oauth } from './oauth-schema.ts'
import { guardrails, resultRules } from './rule-schema.ts'
import { serverSchema } from './server-schema.ts'

/**
 * The one source of the config's shape: parsing, messages and the JSON Schema for editors all come from
 * here.
 */

const ask = z.enum(['never', 'always'])
const variantRules = {
  read: ask.describe('Ask before reads; never.').optional(),
  write: ask.describe('Ask before writes; never.').optional(),
  destructive: ask.describe('Ask before destructive calls; always.').optional(),
}

const agentToken = z.strictObject({
  permissions: z.array(permission).describe('What the token may be used for.'),
  servers: z.array(glob).describe('Names of the servers it may reach; * stands for any characters.'),
  tools: z.array(glob).describe('Tools it may use, as tool or server:tool with *; all if absent.').optional(),
  token: secret
    .describe(
      'The secret itself, usually from the environment; without it `hintgate tokens create` makes one.',
    )
    .optional(),
  expires: moment.describe('When the token stops working.').optional(),
  rate: rate.describe('How many calls it may be used for.').optional(),
  confirm: z
    .strictObject(variantRules)
    .describe('Which of its calls need a person, where it differs from `confirm`.')
    .optional(),
  guardrails: guardrails.describe('Rules on the arguments of its calls.').optional(),
})

const hintFields = Object.fromEntries(
  Object.values(HINTS).map(hint => [
    hint.wire,
    z.boolean().describe(`Whether it is ${hint.label}.`).optional(),
  ]),
)

const confirm = z.strictObject({
  ...variantRules,
  trifecta: z
    .enum(['always', 'declared', 'warn', 'off', 'deny'])
    .describe('When private data, untrusted content and a way out would meet in one session; declared.')
    .optional(),
  acrossSessions: z
    .boolean()
    .describe(
      'Whether all sessions of one caller count as one for `trifecta`; true if that is always or deny, else false.',
    )
    .optional(),
  channel: z
    .enum(['any', 'person'])
    .describe("person: the caller's own client may not answer; somebody else has to. any.")
    .optional(),
  remember: z
    .array(z.enum(['session', 'arguments']))
    .describe('What a yes may be good for beyond the one call; nothing.')
    .optional(),
  expires: duration
    .describe('How long a question waits for its answer, and a yes for its call; 10m.')
    .optional(),
  wait: duration
    .describe('How long a call is held for a person who is not behind its client; not at all if absent.')
    .optional(),
})

const limits = z.strictObject({
  body: size.describe('Largest request body; 4mb.').optional(),
  headers: size.describe('Largest header section of a request; 16kb.').optional(),
  batch: count.describe('Messages in one JSON-RPC batch; 100.').optional(),
  jsonDepth: count.describe('Deepest nesting of JSON; 100.').optional(),
  members: count
    .describe('Members of all JSON objects in one request, and lists and objects themselves; 50000.')
    .optional(),
  sessions: count.describe('Sessions at once; 10000.').optional(),
  sessionsPerPrincipal: count.describe('Sessions at once of one caller; 1000.').optional(),
  sessionIdle: duration.describe('When an unused session ends; 30m.').optional(),
  parkedCalls: count.describe('Calls that wait for an answer of the client; 1000.').optional(),
  parkedPerPrincipal: count
    .describe('Of those, calls of one caller; a quarter of parkedCalls, at least 16.')
    .optional(),
  parkedTime: duration.describe('How long they may wait; 10m.').optional(),
  streams: count.describe('Open event streams at once, of agents and again of people; 2000.').optional(),
  streamsPerPrincipal: count
    .describe('Open event streams of one caller; a quarter of streams, at least 16.')
    .optional(),
  streamQueue: size.describe('Bytes waiting for a slow reader of one stream; 4mb.').optional(),
  concurrentCalls: count.describe('Calls running at once, of agents and again of people; 1000.').optional(),
  callsPerPrincipal: count
    .describe(
      'Calls of one caller at once, and requests whose body is still coming; a quarter of concurrentCalls, at least 16.',
    )
    .optional(),
  bodiesPerPrincipal: size.describe('Long request bodies of one caller at once; 64mb.').optional(),
  bodyTime: duration.describe('How long a request body may stand still; 10s.').optional(),
  unreadTime: duration.describe('How long a client may read nothing of its answer; 30s.').optional(),
  unreadPerPrincipal: size.describe('Answers of one caller that it has not read yet; 64mb.').optional(),
  unreadTotal: size.describe('Answers that their callers have not read yet; 512mb.').optional(),
  connections: count
    .describe('Open connections at once; 10000. Where more come, those end that nobody used for longest.')
    .optional(),
  result: size.describe('Largest result of a call; 32mb.').optional(),
  answer: count
    .describe('Characters of a result at once on the search surface; the rest is paged; 40000.')
    .optional(),
  kept: duration.describe('How long the rest of a long result can be read; 1h.').optional(),
  keptPerPrincipal: size.describe('Long results kept for one caller; 64mb.').optional(),
  keptTotal: size.describe('Long results kept for all callers; 1gb.').optional(),
  batchReads: count.describe('Calls in one call_tools_read; 20.').optional(),
})

const tls = z.strictObject({
  cert: z.string().min(1).describe('Path of the certificate chain, PEM.'),
  key: z.string().min(1).describe('Path of the private key, PEM.'),
})

const log = z.strictObject({
  format: z.enum(LOG_FORMATS).describe('Lines for people, or JSON for programs; text.').optional(),
  level: z.enum(LOG_LEVELS).describe('How much; info. debug has a line for every call.').optional(),
})

const telemetry = z.strictObject({
  otlp: httpUrl
    .describe('Where a collector takes OTLP over HTTP; $OTEL_EXPORTER_OTLP_ENDPOINT if absent.')
    .optional(),
  headers: headers.describe('Sent with everything, such as the key of a service.').optional(),
  tracesPerSecond: count.describe('How many calls a second are traced at most; 100.').optional(),
  metricsEvery: duration.describe('How often metrics are sent; 1m.').optional(),
})

export const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'

export const configSchema = z
  .strictObject({
    $schema: z.string().describe('Address of the JSON Schema, for editors.').optional(),
    listen: listen.describe('Where the gateway listens; 127.0.0.1:4428.').optional(),
    store: storeUrl
      .describe('Where everything is kept; sqlite:data/hintgate.db in the home folder.')
      .optional(),
    profile: z.enum(['gateway', 'spec']).describe('spec: unannotated counts as destructive.').optional(),
    intent: z.enum(['strict', 'warn', 'off']).describe('What a call that claims too little gets.').optional(),
    quarantine: z.boolean().describe('New and changed tools wait for review; true.').optional(),
    confirm: confirm.describe('Which calls need a person.').optional(),
    // Names are checked apart, so that a bad name does not hide what is wrong inside.
    mcpServers: z
      .record(z.string(), serverSchema)
      .meta({ propertyNames: { pattern: NAME_PATTERN }, description: 'The servers, by name.' })
      .optional(),
    agent_tokens: z
      .record(z.string(), agentToken)
      .meta({
        propertyNames: { pattern: NAME_PATTERN },
        description: 'Agents and what they may do, by name.',
      })
      .optional(),
    oauth: oauth.describe('Access tokens of OAuth and OpenID Connect issuers.').optional(),
    overrides: z
      .record(z.string(), z.record(z.string(), z.strictObject(hintFields)))
      .describe('server → tool → hints that replace what the server says.')
      .optional(),
    policies: z.array(z.string().min(1)).describe('Policy files; * stands for any characters.').optional(),
    policyDefault: z
      .enum(['allow', 'deny'])
      .describe('deny: what no policy allows is refused; allow.')
      .optional(),
    guardrails: guardrails.describe('Rules on arguments, for every call.').optional(),
    results: resultRules.describe('What is done with results before anybody reads them.').optional(),
    audit: z
      .strictObject({
        failOpenReads: z
          .boolean()
          .describe('Reads go on when nothing can be recorded; everything else stops. false')
          .optional(),
      })
      .describe('The record of all calls.')
      .optional(),
    limits: limits.describe('Every limit is on; these change them.').optional(),
    advertise: origin
      .describe('Where other replicas on the same database reach this one; $HINTGATE_ADVERTISE if absent.')
      .optional(),
    allowedHosts: z
      .array(hostName)
      .describe('Host names of the gateway, besides loopback and `listen`.')
      .optional(),
    allowedOrigins: z
      .array(origin)
      .describe(
        'Web pages that may call the gateway, besides those of this machine and of its own host names, whatever their port. A token is needed all the same.',
      )
      .optional(),
    behindProxy: z.boolean().describe('A proxy in front terminates TLS.').optional(),
    tls: tls.describe('Certificate and key, to listen beyond this machine.').optional(),
    drain: duration.describe('How long calls in flight may take to finish at shutdown; 10s.').optional(),
    log: log.describe('What is written to standard error.').optional(),
    telemetry: telemetry.describe('Traces and metrics for OpenTelemetry.').optional(),
  })
  .meta({ title: 'hintgate.json', description: 'The configuration of Hintgate.' })

/** What the schema gives: right in shape, nothing filled in yet. */
export type ConfigInput = z.output<typeof configSchema>

/** A part of a JSON Schema, as far as we look into it. */
export interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly examples?: readonly unknown[]
  readonly description?: string
}

/** The JSON Schema that editors use for `hintgate.json`. */
export function configJsonSchema(): SchemaNode {
  return z.toJSONSchema(configSchema, { io: 'input' }) as SchemaNode
}
