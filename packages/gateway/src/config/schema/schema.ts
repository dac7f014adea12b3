import { CONSEQUENCES, HINTS } from '@hintgate/metadata'
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
  safeUrl,
  secret,
  size,
  storeUrl,
} from './leaves.ts'
import { approvers, notify } from './notify-schema.ts'
import { oauth } from './oauth-schema.ts'
import { guardrails, resultRules } from './rule-schema.ts'
import { serverSchema } from './server-schema.ts'
import { toolsetSchema } from './toolset-schema.ts'

/** The schema from which parsing, messages and the JSON Schema for editors are derived. */

const ask = z.enum(['never', 'always'])
const variantRules = {
  read: maybe(ask, 'Whether reads need approval. Default: never.'),
  write: maybe(ask, 'Whether writes need approval. Default: never.'),
  destructive: maybe(ask, 'Whether destructive calls need approval. Default: always.'),
}

const agentToken = z.strictObject({
  permissions: z.array(permission).describe("The token's permissions."),
  servers: maybe(
    z.array(glob),
    'The servers that the token can reach; * matches any characters. Required unless `sets` is given; then the default is all.',
  ),
  sets: maybe(
    z.array(glob),
    'The toolsets that the token can use; * matches any characters. Such a token can use no other endpoint.',
  ),
  tools: maybe(
    z.array(glob),
    'The tools that the token can use, as tool or server:tool with *. Default: all.',
  ),
  token: maybe(
    secret,
    'The secret, usually from the environment. To have the gateway generate a secret, leave the entry out and run `hintgate tokens create`.',
  ),
  expires: maybe(moment, 'The time at which the token expires.'),
  rate: maybe(rate, 'The maximum rate of calls.'),
  confirm: maybe(
    z.strictObject(variantRules),
    "Which of the agent's calls need approval. Overrides `confirm`.",
  ),
  statesTask: maybe(
    z.boolean(),
    "Whether the client may state its user's task. If the values of a call come from that task, text in results does not make the call need approval.",
  ),
  guardrails: maybe(guardrails, "Rules about the arguments of the agent's calls."),
})

const checkedToken = agentToken.superRefine(({ servers, sets }, ctx) => {
  if (servers !== undefined || sets !== undefined) return
  ctx.addIssue({
    code: 'custom',
    message: '"servers" is missing',
    params: { fix: 'add it: a list, or name toolsets in "sets"' },
  })
})

const consequence = maybe(
  z.array(z.enum(CONSEQUENCES)),
  'The consequences of a call. An empty list means none.',
)

const hintFields = Object.fromEntries(
  Object.entries(HINTS).map(([name, { wire, label }]) => [
    wire,
    z
      .boolean()
      .describe(name === 'egress' ? 'Whether the tool sends data out.' : `Whether the tool is ${label}.`)
      .optional(),
  ]),
)

const overrideFields = { ...hintFields, consequence }

const confirm = z.strictObject({
  ...variantRules,
  trifecta: maybe(
    z.enum(['always', 'declared', 'warn', 'off', 'deny']),
    'What happens when private data, untrusted content and external communication would come together in one session. Default: declared.',
  ),
  acrossSessions: maybe(
    z.boolean(),
    "Whether `trifecta` treats all of a caller's sessions as one. Default: true if `trifecta` is always or deny, otherwise false.",
  ),
  provenance: maybe(
    z.enum(['off', 'targets', 'strict']),
    'Whether a call needs approval because text in an earlier result asked for it. targets: if the text contains a value from the call. strict: also if the text asks for a call of this kind. Default: targets.',
  ),
  channel: maybe(
    z.enum(['any', 'person']),
    'Who can approve. person: someone other than the user of the calling client. Default: any.',
  ),
  remember: maybe(
    z.array(z.enum(['session', 'arguments', 'rule'])),
    'What an approval can cover beyond the call that it was asked for. rule: everything that the same rules ask about at the same tool; only people with the role operator can choose it. Default: nothing.',
  ),
  longest: maybe(
    duration,
    'The longest time for which a person can approve further calls; at most 24d. Without a choice, an approval covers them for an hour. Default: 7d.',
  ),
  approvers: maybe(
    approvers,
    'Calls that several people, other than the caller, must approve. The highest matching count applies. Default: one person.',
  ),
  expires: maybe(
    duration,
    'How long a pending approval waits for an answer, and how long an approved call can still be sent. Default: 10m.',
  ),
  wait: maybe(
    duration,
    'How long a call waits for a person who approves outside the calling client. Default: it does not wait.',
  ),
})

const limits = z.strictObject({
  body: maybe(size, 'Maximum size of a request body. Default: 4mb.'),
  headers: maybe(size, "Maximum total size of a request's headers. Default: 16kb."),
  batch: maybe(count, 'Maximum number of messages in a JSON-RPC batch. Default: 100.'),
  jsonDepth: maybe(count, 'Maximum nesting depth of JSON. Default: 100.'),
  members: maybe(count, 'Maximum number of JSON members, lists and objects in a request. Default: 50000.'),
  sessions: maybe(count, 'Maximum number of concurrent sessions. Default: 10000.'),
  sessionsPerPrincipal: maybe(count, 'Maximum number of concurrent sessions per caller. Default: 1000.'),
  sessionIdle: maybe(duration, 'The idle time after which a session expires. Default: 30m.'),
  parkedCalls: maybe(
    count,
    'Maximum number of calls that wait for an answer from their client. Default: 1000.',
  ),
  parkedPerPrincipal: maybe(
    count,
    'The same limit per caller. Default: a quarter of parkedCalls, at least 16.',
  ),
  parkedTime: maybe(duration, 'How long a call waits for an answer from its client. Default: 10m.'),
  streams: maybe(
    count,
    'Maximum number of open event streams, counted separately for agents and people. Default: 2000.',
  ),
  streamsPerPrincipal: maybe(count, 'The same limit per caller. Default: a quarter of streams, at least 16.'),
  streamQueue: maybe(size, 'Maximum number of bytes buffered for a slow reader of a stream. Default: 4mb.'),
  concurrentCalls: maybe(
    count,
    'Maximum number of concurrent calls, counted separately for agents and people. Default: 1000.',
  ),
  callsPerPrincipal: maybe(
    count,
    'The same limit per caller, including requests whose body is still being received. Default: a quarter of concurrentCalls, at least 16.',
  ),
  bodiesPerPrincipal: maybe(size, 'Maximum total size of long request bodies per caller. Default: 64mb.'),
  bodyTime: maybe(duration, 'How long a request body can stall. Default: 10s.'),
  unreadTime: maybe(duration, 'How long a client can stop reading its response. Default: 30s.'),
  unreadPerPrincipal: maybe(size, 'Maximum total size of unread responses per caller. Default: 64mb.'),
  unreadTotal: maybe(size, 'Maximum total size of unread responses for all callers. Default: 512mb.'),
  connections: maybe(
    count,
    'Maximum number of open connections. At this number, a new connection replaces the one that has been idle longest. Default: 10000.',
  ),
  result: maybe(size, 'Maximum size of a result. Default: 32mb.'),
  answer: maybe(
    count,
    'Maximum number of characters of a result in one response on the search surface; the rest is returned in pages. Default: 40000.',
  ),
  kept: maybe(duration, 'How long the rest of a long result is stored. Default: 1h.'),
  keptPerPrincipal: maybe(size, 'Maximum total size of stored results per caller. Default: 64mb.'),
  keptTotal: maybe(size, 'Maximum total size of stored results for all callers. Default: 1gb.'),
  batchReads: maybe(count, 'Maximum number of calls in one call_tools_read. Default: 20.'),
})

const search = z.strictObject({
  semantic: maybe(
    z.boolean(),
    'Whether a search also compares meanings, with a model from packages that are installed separately. Default: false.',
  ),
})

const tls = z.strictObject({
  cert: z.string().min(1).describe('Path to the certificate chain (PEM).'),
  key: z.string().min(1).describe('Path to the private key (PEM).'),
})

const log = z.strictObject({
  format: maybe(z.enum(LOG_FORMATS), 'text for people, json for programs. Default: text.'),
  level: maybe(z.enum(LOG_LEVELS), 'The minimum level. debug logs every call. Default: info.'),
})

const telemetry = z.strictObject({
  otlp: maybe(httpUrl, 'The OTLP/HTTP endpoint of a collector. Default: $OTEL_EXPORTER_OTLP_ENDPOINT.'),
  headers: maybe(headers, 'HTTP headers sent with every export, such as an API key.'),
  tracesPerSecond: maybe(count, 'Maximum number of traced calls per second. Default: 100.'),
  metricsEvery: maybe(duration, 'How often metrics are exported. Default: 1m.'),
})

export const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'

export const configSchema = z
  .strictObject({
    $schema: maybe(z.string(), 'URL or path of the JSON Schema, for editors.'),
    listen: maybe(listen, 'The address on which the gateway listens. Default: 127.0.0.1:4428.'),
    store: maybe(storeUrl, 'The database. Default: sqlite:data/hintgate.db in the home folder.'),
    profile: maybe(
      z.enum(['gateway', 'spec']),
      'With spec, tools without annotations count as destructive. Default: gateway.',
    ),
    intent: maybe(
      z.enum(['strict', 'warn', 'off']),
      'What happens to a call that claims to do less than its tool. strict: it is denied. warn: it gets a note. Default: strict.',
    ),
    quarantine: maybe(z.boolean(), 'Whether new and changed tools wait for review. Default: true.'),
    confirm: maybe(confirm, 'Which calls need approval.'),
    search: maybe(search, 'How tools are found.'),
    // `checkNames` checks the names, so that an invalid name does not hide problems below it.
    mcpServers: z
      .record(z.string(), serverSchema)
      .meta({ propertyNames: { pattern: NAME_PATTERN }, description: 'The servers, by name.' })
      .optional(),
    agent_tokens: z
      .record(z.string(), checkedToken)
      .meta({
        propertyNames: { pattern: NAME_PATTERN },
        description: 'Agents and their permissions, by name.',
      })
      .optional(),
    toolsets: z
      .record(z.string(), toolsetSchema(hintFields))
      .meta({
        propertyNames: { pattern: NAME_PATTERN },
        description: 'Endpoints at /mcp/sets/NAME, each with chosen tools of several servers.',
      })
      .optional(),
    registry: maybe(
      safeUrl,
      'The MCP registry in which hintgate servers search, try and add look for servers.',
    ),
    notify: maybe(notify, 'Channels that tell people about calls that wait for approval.'),
    publicUrl: maybe(
      origin,
      'The URL at which people reach the gateway, for links in messages. Its host name is allowed as well. Default: the address of `listen`.',
    ),
    oauth: maybe(oauth, 'Access tokens from OAuth and OpenID Connect issuers.'),
    overrides: maybe(
      z.record(z.string(), z.record(z.string(), z.strictObject(overrideFields))),
      "Hints that override the server's, by server and tool.",
    ),
    policies: maybe(z.array(z.string().min(1)), 'Policy files; * matches any characters.'),
    policyDefault: maybe(
      z.enum(['allow', 'deny']),
      'The verdict on calls that match no rule. Default: allow.',
    ),
    guardrails: maybe(guardrails, 'Rules about the arguments of every call.'),
    results: maybe(resultRules, 'How results are checked before they reach the agent.'),
    audit: maybe(
      z.strictObject({
        failOpenReads: maybe(
          z.boolean(),
          'Whether reads continue when the audit log cannot be written; all other calls stop. Default: false.',
        ),
      }),
      'The audit log.',
    ),
    limits: maybe(limits, 'Limits. Every limit always applies; these keys only change the values.'),
    advertise: maybe(
      origin,
      'The URL at which other replicas on the same database reach this one. Default: $HINTGATE_ADVERTISE.',
    ),
    allowedHosts: maybe(
      z.array(hostName),
      'Host names of the gateway, in addition to loopback and `listen`.',
    ),
    allowedOrigins: maybe(
      z.array(origin),
      "Origins of web pages that can call the gateway, in addition to this machine and the gateway's own host names on any port. They still need a token.",
    ),
    behindProxy: maybe(
      z.boolean(),
      'Whether a proxy in front of the gateway terminates TLS. Default: false.',
    ),
    tls: maybe(
      tls,
      'Certificate and key; required to accept connections from other machines without a proxy.',
    ),
    drain: maybe(
      duration,
      'How long running calls can take to finish when the gateway shuts down. Default: 10s.',
    ),
    log: maybe(log, 'The log, which is written to standard error.'),
    telemetry: maybe(telemetry, 'OpenTelemetry traces and metrics.'),
  })
  .meta({ title: 'hintgate.json', description: 'The configuration of Hintgate.' })

/** The parsed config, before defaults are filled in. */
export type ConfigInput = z.output<typeof configSchema>

/** The parts of a JSON Schema from which messages are derived. */
export interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly examples?: readonly unknown[]
  readonly description?: string
}

/** Returns the JSON Schema that editors use for `hintgate.json`. */
export function configJsonSchema(): SchemaNode {
  return z.toJSONSchema(configSchema, { io: 'input' }) as SchemaNode
}
