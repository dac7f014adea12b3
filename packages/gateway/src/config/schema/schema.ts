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
  maybe,
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

/** Parsing, messages and the JSON Schema for editors all come from here. */

const ask = z.enum(['never', 'always'])
const variantRules = {
  read: maybe(ask, 'Ask before reads; never.'),
  write: maybe(ask, 'Ask before writes; never.'),
  destructive: maybe(ask, 'Ask before destructive calls; always.'),
}

const agentToken = z.strictObject({
  permissions: z.array(permission).describe('What the token may be used for.'),
  servers: z.array(glob).describe('Names of the servers it may reach; * stands for any characters.'),
  tools: maybe(z.array(glob), 'Tools it may use, as tool or server:tool with *; all if absent.'),
  token: maybe(
    secret,
    'The secret itself, usually from the environment; without it `hintgate tokens create` makes one.',
  ),
  expires: maybe(moment, 'When the token stops working.'),
  rate: maybe(rate, 'How many calls it may be used for.'),
  confirm: maybe(
    z.strictObject(variantRules),
    'Which of its calls need a person, where it differs from `confirm`.',
  ),
  guardrails: maybe(guardrails, 'Rules on the arguments of its calls.'),
})

const hintFields = Object.fromEntries(
  Object.values(HINTS).map(hint => [
    hint.wire,
    z.boolean().describe(`Whether it is ${hint.label}.`).optional(),
  ]),
)

const confirm = z.strictObject({
  ...variantRules,
  trifecta: maybe(
    z.enum(['always', 'declared', 'warn', 'off', 'deny']),
    'When private data, untrusted content and external communication would meet in one session; declared.',
  ),
  acrossSessions: maybe(
    z.boolean(),
    'Whether all sessions of one caller count as one for `trifecta`; true if that is always or deny, else false.',
  ),
  channel: maybe(
    z.enum(['any', 'person']),
    "person: the caller's own client may not answer; somebody else has to. any.",
  ),
  remember: maybe(
    z.array(z.enum(['session', 'arguments'])),
    'What a yes may be good for beyond the one call; nothing.',
  ),
  expires: maybe(duration, 'How long a question waits for its answer, and a yes for its call; 10m.'),
  wait: maybe(
    duration,
    'How long a call is held for a person who is not behind its client; not at all if absent.',
  ),
})

const limits = z.strictObject({
  body: maybe(size, 'Largest request body; 4mb.'),
  headers: maybe(size, 'Largest header section of a request; 16kb.'),
  batch: maybe(count, 'Messages in one JSON-RPC batch; 100.'),
  jsonDepth: maybe(count, 'Deepest nesting of JSON; 100.'),
  members: maybe(
    count,
    'Members of all JSON objects in one request, and lists and objects themselves; 50000.',
  ),
  sessions: maybe(count, 'Sessions at once; 10000.'),
  sessionsPerPrincipal: maybe(count, 'Sessions at once of one caller; 1000.'),
  sessionIdle: maybe(duration, 'When an unused session ends; 30m.'),
  parkedCalls: maybe(count, 'Calls that wait for an answer of the client; 1000.'),
  parkedPerPrincipal: maybe(count, 'Of those, calls of one caller; a quarter of parkedCalls, at least 16.'),
  parkedTime: maybe(duration, 'How long they may wait; 10m.'),
  streams: maybe(count, 'Open event streams at once, of agents and again of people; 2000.'),
  streamsPerPrincipal: maybe(count, 'Open event streams of one caller; a quarter of streams, at least 16.'),
  streamQueue: maybe(size, 'Bytes waiting for a slow reader of one stream; 4mb.'),
  concurrentCalls: maybe(count, 'Calls running at once, of agents and again of people; 1000.'),
  callsPerPrincipal: maybe(
    count,
    'Calls of one caller at once, and requests whose body is still coming; a quarter of concurrentCalls, at least 16.',
  ),
  bodiesPerPrincipal: maybe(size, 'Long request bodies of one caller at once; 64mb.'),
  bodyTime: maybe(duration, 'How long a request body may stand still; 10s.'),
  unreadTime: maybe(duration, 'How long a client may read nothing of its answer; 30s.'),
  unreadPerPrincipal: maybe(size, 'Answers of one caller that it has not read yet; 64mb.'),
  unreadTotal: maybe(size, 'Answers that their callers have not read yet; 512mb.'),
  connections: maybe(
    count,
    'Open connections at once; 10000. Where more come, those end that nobody used for longest.',
  ),
  result: maybe(size, 'Largest result of a call; 32mb.'),
  answer: maybe(count, 'Characters of a result at once on the search surface; the rest is paged; 40000.'),
  kept: maybe(duration, 'How long the rest of a long result can be read; 1h.'),
  keptPerPrincipal: maybe(size, 'Long results kept for one caller; 64mb.'),
  keptTotal: maybe(size, 'Long results kept for all callers; 1gb.'),
  batchReads: maybe(count, 'Calls in one call_tools_read; 20.'),
})

const tls = z.strictObject({
  cert: z.string().min(1).describe('Path of the certificate chain, PEM.'),
  key: z.string().min(1).describe('Path of the private key, PEM.'),
})

const log = z.strictObject({
  format: maybe(z.enum(LOG_FORMATS), 'Lines for people, or JSON for programs; text.'),
  level: maybe(z.enum(LOG_LEVELS), 'How much; info. debug has a line for every call.'),
})

const telemetry = z.strictObject({
  otlp: maybe(httpUrl, 'Where a collector takes OTLP over HTTP; $OTEL_EXPORTER_OTLP_ENDPOINT if absent.'),
  headers: maybe(headers, 'Sent with everything, such as the key of a service.'),
  tracesPerSecond: maybe(count, 'How many calls a second are traced at most; 100.'),
  metricsEvery: maybe(duration, 'How often metrics are sent; 1m.'),
})

export const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'

export const configSchema = z
  .strictObject({
    $schema: maybe(z.string(), 'Address of the JSON Schema, for editors.'),
    listen: maybe(listen, 'Where the gateway listens; 127.0.0.1:4428.'),
    store: maybe(storeUrl, 'Where everything is kept; sqlite:data/hintgate.db in the home folder.'),
    profile: maybe(z.enum(['gateway', 'spec']), 'spec: unannotated counts as destructive.'),
    intent: maybe(z.enum(['strict', 'warn', 'off']), 'What a call that claims too little gets.'),
    quarantine: maybe(z.boolean(), 'New and changed tools wait for review; true.'),
    confirm: maybe(confirm, 'Which calls need a person.'),
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
    oauth: maybe(oauth, 'Access tokens of OAuth and OpenID Connect issuers.'),
    overrides: maybe(
      z.record(z.string(), z.record(z.string(), z.strictObject(hintFields))),
      'server → tool → hints that replace what the server says.',
    ),
    policies: maybe(z.array(z.string().min(1)), 'Policy files; * stands for any characters.'),
    policyDefault: maybe(z.enum(['allow', 'deny']), 'deny: what no policy allows is refused; allow.'),
    guardrails: maybe(guardrails, 'Rules on arguments, for every call.'),
    results: maybe(resultRules, 'What is done with results before anybody reads them.'),
    audit: maybe(
      z.strictObject({
        failOpenReads: maybe(
          z.boolean(),
          'Reads go on when nothing can be recorded; everything else stops. false',
        ),
      }),
      'The record of all calls.',
    ),
    limits: maybe(limits, 'Every limit is on; these change them.'),
    advertise: maybe(
      origin,
      'Where other replicas on the same database reach this one; $HINTGATE_ADVERTISE if absent.',
    ),
    allowedHosts: maybe(z.array(hostName), 'Host names of the gateway, besides loopback and `listen`.'),
    allowedOrigins: maybe(
      z.array(origin),
      'Web pages that may call the gateway, besides those of this machine and of its own host names, whatever their port. A token is needed all the same.',
    ),
    behindProxy: maybe(z.boolean(), 'A proxy in front terminates TLS.'),
    tls: maybe(tls, 'Certificate and key, to listen beyond this machine.'),
    drain: maybe(duration, 'How long calls in flight may take to finish at shutdown; 10s.'),
    log: maybe(log, 'What is written to standard error.'),
    telemetry: maybe(telemetry, 'Traces and metrics for OpenTelemetry.'),
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
