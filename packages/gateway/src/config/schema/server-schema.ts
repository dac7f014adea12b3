import { z } from 'zod'
import { count, duration, environment, headers, httpUrl, rate, safeUrl, size } from './leaves.ts'
import { guardrails, resultRules } from './rule-schema.ts'
import { findUnsafeVariables } from './unsafe-variables.ts'

/** One entry of `mcpServers`, in all the spellings that clients use for it. */

const KINDS = ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const

const retry = z.union(
  [
    z.literal(false),
    z.strictObject({
      attempts: z.int().min(1).max(10).describe('How often a call is sent at most; 3 if absent.').optional(),
      delay: duration
        .describe('Longest pause before the first repetition; it doubles each time; 100ms if absent.')
        .optional(),
      maxDelay: duration.describe('Longest pause of all; 5s if absent.').optional(),
      budget: z
        .number()
        .min(0)
        .max(1)
        .describe('How many of all calls may be repeated; 0.2 if absent.')
        .optional(),
    }),
  ],
  { error: 'expected false, or how often: { "attempts": 3 }' },
)

const resources = z.strictObject({
  memory: size.describe('Memory that it writes to.').optional(),
  cpu: duration.describe('Time on a processor, from its start to its end.').optional(),
  openFiles: count.describe('Files and sockets open at once.').optional(),
  processes: count.describe('Processes and threads of its user.').optional(),
})

const oauth = z.union(
  [
    z.literal(true),
    z.strictObject({
      grant: z
        .enum(['authorization_code', 'client_credentials'])
        .describe('authorization_code: a person signs in once. client_credentials: the gateway by itself.')
        .optional(),
      clientId: z
        .string()
        .min(1)
        .describe('As it is registered there; registers itself if absent.')
        .optional(),
      clientSecret: z.string().min(1).describe('Its secret, usually from the environment.').optional(),
      clientMetadataUrl: safeUrl
        .describe('Address of a document about this client, where that is taken in place of a registration.')
        .optional(),
      scope: z.string().min(1).describe('What to ask for, separated by spaces.').optional(),
      issuer: safeUrl
        .describe('The only authorization server that the client is for; needed with clientSecret.')
        .optional(),
    }),
  ],
  { error: 'expected true, or how to get tokens: { "clientId": … }' },
)

const folders = z.array(z.string().min(1))

const sandbox = z.strictObject({
  network: z.boolean().describe('Whether it may use the network; false if absent.').optional(),
  read: folders.describe('Files and folders that it may read, besides the system.').optional(),
  write: folders.describe('Folders that it may change.').optional(),
})

const FOLDER = 'expected a folder such as "file:///srv/data"'
const roots = z.union([z.literal('client'), z.array(z.string().regex(/^file:\/\/\//, FOLDER)).max(1000)], {
  error: 'expected folders such as ["file:///srv/data"], or "client"',
})

const fields = z.strictObject({
  command: z.string().min(1).describe('Program to start; it is spoken to over stdio.').optional(),
  args: z.array(z.string()).describe('Its arguments.').optional(),
  env: environment.describe('Environment variables added to a small safe set.').optional(),
  allowUnsafeEnv: z
    .boolean()
    .describe('Accept variables in `env` that load code into the server, such as NODE_OPTIONS or LD_PRELOAD.')
    .optional(),
  resources: resources.describe('What the program may use at most; needs prlimit.').optional(),
  sandbox: sandbox.describe('Confine the program; needs bubblewrap.').optional(),
  cwd: z.string().min(1).describe("Its working folder; the config file's folder if absent.").optional(),
  url: httpUrl.describe('Address of a server that is reached over HTTP.').optional(),
  serverUrl: httpUrl.describe("Windsurf's name for `url`.").optional(),
  httpUrl: httpUrl.describe("Gemini's name for `url`.").optional(),
  headers: headers.describe('HTTP headers sent with every request.').optional(),
  oauth: oauth.describe('Get tokens for the server with OAuth 2.1; see hintgate servers login.').optional(),
  type: z.enum(KINDS).describe('How the server is reached; found out by itself if absent.').optional(),
  transport: z.enum(KINDS).describe('Another name for `type`.').optional(),
  disabled: z.boolean().describe('Leave this server out.').optional(),
  enabled: z.boolean().describe('False leaves this server out.').optional(),
  trust: z
    .enum(['reviewed', 'trusted'])
    .describe('reviewed: new and changed tools wait. trusted: the first tool set is approved by itself.')
    .optional(),
  lazy: z.boolean().describe('Start at the first call instead of at once.').optional(),
  timeout: duration.describe('Longest that a request may take; 60s if absent.').optional(),
  startTimeout: duration.describe('Longest that starting may take; 30s if absent.').optional(),
  concurrency: count.describe('Calls that may run at once; 64 if absent.').optional(),
  queue: z.int().min(0).max(1_000_000).describe('Calls that may wait; 256 if absent.').optional(),
  isolation: z
    .enum(['shared', 'session'])
    .describe('session: every client session gets a connection (and process) of its own.')
    .optional(),
  sessions: count
    .describe('With isolation session, how many sessions may have one at once; 128 if absent.')
    .optional(),
  sessionsPerPrincipal: count.describe('The same for the sessions of one caller; 32 if absent.').optional(),
  roots: roots
    .describe(
      'Folders that the server is told to work in (file:///…); none if absent. client: each agent names its own, which may move the server out of the folders you gave it; needs isolation session.',
    )
    .optional(),
  passMethods: z
    .array(z.string().min(1))
    .max(100)
    .describe('Methods that the protocol does not have and that are passed on; none if absent.')
    .optional(),
  parallel: z
    .enum(['free', 'exclusive-writes'])
    .describe('exclusive-writes: within a session reads run together, all other calls run alone.')
    .optional(),
  checkArguments: z
    .boolean()
    .describe("Refuse arguments that do not fit a tool's own schema; true if absent.")
    .optional(),
  retry: retry
    .describe('How calls that read only or are idempotent are repeated when they got lost; false: never.')
    .optional(),
  rate: rate.describe('How many calls this server may get, from all callers together.').optional(),
  results: resultRules.describe('What is done with its results, where it differs from `results`.').optional(),
  guardrails: guardrails.describe('Rules on the arguments of its tools.').optional(),
  toolGuardrails: z
    .record(z.string(), guardrails)
    .describe('Rules on the arguments of certain tools, by name; * stands for any characters.')
    .optional(),
})

type ServerFields = z.output<typeof fields>

export const serverSchema = fields.superRefine((server, ctx) => {
  for (const { path, message, ...params } of findContradictions(server))
    ctx.addIssue({ code: 'custom', path, message, params })
})

interface Contradiction {
  readonly path: string[]
  readonly message: string
  readonly fix: string
  /** The key itself is wrong, whatever it stands for. */
  readonly aboutKey?: true
}

export type ServerInput = z.output<typeof serverSchema>

/** The address under whichever name it was given. */
export function addressOf(server: ServerFields): string | undefined {
  return server.url ?? server.serverUrl ?? server.httpUrl
}

function findContradictions(server: ServerFields): Contradiction[] {
  return [
    ...findWaysIn(server),
    ...findOAuthFaults(server),
    ...findMisfits(server),
    ...findSwitches(server),
    ...findSharedRoots(server),
    ...(server.allowUnsafeEnv ? [] : findUnsafeVariables(server.env ?? {})),
  ]
}

function findWaysIn(server: ServerFields): Contradiction[] {
  const urls = (['url', 'serverUrl', 'httpUrl'] as const).filter(key => server[key] !== undefined)
  const ways = server.command === undefined ? urls : ['command', ...urls]
  if (ways.length === 1) return []
  if (ways.length === 0)
    return [
      {
        path: [],
        message: 'there is no way to reach this server',
        fix: 'add "command" for a program or "url" for an address',
      },
    ]
  return [
    {
      path: [ways[1] ?? ''],
      message: `${ways.join(' and ')} contradict each other`,
      fix: 'keep one of them',
    },
  ]
}

const OF_PROGRAMS = ['args', 'env', 'cwd', 'resources', 'sandbox'] as const

function findMisfits(server: ServerFields): Contradiction[] {
  const given = (keys: readonly ('args' | 'env' | 'cwd' | 'resources' | 'sandbox' | 'headers')[]) =>
    keys.filter(key => Object.keys(server[key] ?? {}).length > 0)
  const found: Contradiction[] = []
  const key = server.type === undefined ? 'transport' : 'type'
  const type = server.type ?? server.transport
  if (server.type !== undefined && server.transport !== undefined && server.type !== server.transport)
    found.push({ path: ['transport'], message: 'contradicts "type"', fix: 'keep one of them' })
  if (type === 'stdio' && server.command === undefined && addressOf(server) !== undefined)
    found.push({ path: [key], message: 'stdio needs "command", but there is a URL', fix: 'write "http"' })
  if (type !== undefined && type !== 'stdio' && server.command !== undefined)
    found.push({ path: [key], message: `${type} needs "url", but there is a command`, fix: 'write "stdio"' })
  const idle = server.command === undefined ? given(OF_PROGRAMS) : given(['headers'])
  const other = server.command === undefined ? 'a server behind a URL' : 'a server that is a program'
  if (server.command !== undefined || addressOf(server) !== undefined)
    for (const name of idle)
      found.push({ path: [name], message: `does nothing for ${other}`, fix: 'remove it' })
  return found
}

function findOAuthFaults({
  oauth: settings,
  command,
  type,
  transport,
  headers: fixed,
}: ServerFields): Contradiction[] {
  if (settings === undefined) return []
  const found: Contradiction[] = []
  if (command !== undefined || (type ?? transport) === 'sse')
    found.push({ path: ['oauth'], message: 'is for servers over Streamable HTTP', fix: 'remove it' })
  if (Object.keys(fixed ?? {}).some(name => name.toLowerCase() === 'authorization'))
    found.push({ path: ['oauth'], message: 'contradicts the Authorization header', fix: 'keep one of them' })
  if (settings !== true && settings.grant === 'client_credentials') {
    const isWhole = settings.clientId !== undefined && settings.clientSecret !== undefined
    if (!isWhole)
      found.push({
        path: ['oauth'],
        message: 'client_credentials needs a client of its own',
        fix: 'add "clientId" and "clientSecret"',
      })
  }
  // Which issuer it is the server says, and it may name one of its own.
  if (settings !== true && settings.clientSecret !== undefined && settings.issuer === undefined)
    found.push({
      path: ['oauth', 'clientSecret'],
      message: 'would be sent to any authorization server that the server names',
      fix: 'add "issuer": "https://…" beside it, the one that the secret is for',
    })
  return found
}

function findSwitches({ enabled, disabled }: ServerFields): Contradiction[] {
  if (enabled === undefined || disabled === undefined || enabled !== disabled) return []
  return [{ path: ['disabled'], message: 'contradicts "enabled"', fix: 'keep one of them' }]
}

/** Whoever names the roots of a server that others use, too, says where all of them may read and write. */
function findSharedRoots({ roots: given, isolation }: ServerFields): Contradiction[] {
  if (given !== 'client' || isolation === 'session') return []
  return [
    {
      path: ['roots'],
      message: 'an agent would say for all others where the server may work',
      fix: 'add "isolation": "session", or write the folders: ["file:///…"]',
    },
  ]
}
