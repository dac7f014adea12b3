import { z } from 'zod'
import { count, duration, environment, headers, httpUrl, maybe, rate, safeUrl, size } from './leaves.ts'
import { guardrails, resultRules } from './rule-schema.ts'
import { findUnsafeVariables } from './unsafe-variables.ts'

/** One entry of `mcpServers`, in all the spellings that clients use for it. */

const KINDS = ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const

const retry = z.union(
  [
    z.literal(false),
    z.strictObject({
      attempts: maybe(z.int().min(1).max(10), 'How often a call is sent at most; 3 if absent.'),
      delay: maybe(
        duration,
        'Longest pause before the first repetition; it doubles each time; 100ms if absent.',
      ),
      maxDelay: maybe(duration, 'Longest pause of all; 5s if absent.'),
      budget: maybe(z.number().min(0).max(1), 'How many of all calls may be repeated; 0.2 if absent.'),
    }),
  ],
  { error: 'expected false, or how often: { "attempts": 3 }' },
)

const resources = z.strictObject({
  memory: maybe(size, 'Memory that it writes to.'),
  cpu: maybe(duration, 'Time on a processor, from its start to its end.'),
  openFiles: maybe(count, 'Files and sockets open at once.'),
  processes: maybe(count, 'Processes and threads of its user.'),
})

const oauth = z.union(
  [
    z.literal(true),
    z.strictObject({
      grant: maybe(
        z.enum(['authorization_code', 'client_credentials']),
        'authorization_code: a person signs in once. client_credentials: the gateway by itself.',
      ),
      clientId: maybe(z.string().min(1), 'As it is registered there; registers itself if absent.'),
      clientSecret: maybe(z.string().min(1), 'Its secret, usually from the environment.'),
      clientMetadataUrl: maybe(
        safeUrl,
        'Address of a document about this client, where that is taken in place of a registration.',
      ),
      scope: maybe(z.string().min(1), 'What to ask for, separated by spaces.'),
      issuer: maybe(
        safeUrl,
        'The only authorization server that the client is for; needed with clientSecret.',
      ),
    }),
  ],
  { error: 'expected true, or how to get tokens: { "clientId": … }' },
)

const folders = z.array(z.string().min(1))

const sandbox = z.strictObject({
  network: maybe(z.boolean(), 'Whether it may use the network; false if absent.'),
  read: maybe(folders, 'Files and folders that it may read, besides the system.'),
  write: maybe(folders, 'Folders that it may change.'),
})

const FOLDER = 'expected a folder such as "file:///srv/data"'
const roots = z.union([z.literal('client'), z.array(z.string().regex(/^file:\/\/\//, FOLDER)).max(1000)], {
  error: 'expected folders such as ["file:///srv/data"], or "client"',
})

const fields = z.strictObject({
  command: maybe(z.string().min(1), 'Program to start; it is spoken to over stdio.'),
  args: maybe(z.array(z.string()), 'Its arguments.'),
  env: maybe(environment, 'Environment variables added to a small safe set.'),
  allowUnsafeEnv: maybe(
    z.boolean(),
    'Accept variables in `env` that load code into the server, such as NODE_OPTIONS or LD_PRELOAD.',
  ),
  resources: maybe(resources, 'What the program may use at most; needs prlimit.'),
  sandbox: maybe(sandbox, 'Confine the program; needs bubblewrap.'),
  cwd: maybe(z.string().min(1), "Its working folder; the config file's folder if absent."),
  url: maybe(httpUrl, 'Address of a server that is reached over HTTP.'),
  serverUrl: maybe(httpUrl, "Windsurf's name for `url`."),
  httpUrl: maybe(httpUrl, "Gemini's name for `url`."),
  headers: maybe(headers, 'HTTP headers sent with every request.'),
  oauth: maybe(oauth, 'Get tokens for the server with OAuth 2.1; see hintgate servers login.'),
  type: maybe(z.enum(KINDS), 'How the server is reached; found out by itself if absent.'),
  transport: maybe(z.enum(KINDS), 'Another name for `type`.'),
  disabled: maybe(z.boolean(), 'Leave this server out.'),
  enabled: maybe(z.boolean(), 'False leaves this server out.'),
  trust: maybe(
    z.enum(['reviewed', 'trusted']),
    'reviewed: new and changed tools wait. trusted: the first tool set is approved by itself.',
  ),
  lazy: maybe(z.boolean(), 'Start at the first call instead of at once.'),
  timeout: maybe(duration, 'Longest that a request may take; 60s if absent.'),
  startTimeout: maybe(duration, 'Longest that starting may take; 30s if absent.'),
  concurrency: maybe(count, 'Calls that may run at once; 64 if absent.'),
  queue: maybe(z.int().min(0).max(1_000_000), 'Calls that may wait; 256 if absent.'),
  isolation: maybe(
    z.enum(['shared', 'session']),
    'session: every client session gets a connection (and process) of its own.',
  ),
  sessions: maybe(count, 'With isolation session, how many sessions may have one at once; 128 if absent.'),
  sessionsPerPrincipal: maybe(count, 'The same for the sessions of one caller; 32 if absent.'),
  roots: maybe(
    roots,
    'Folders that the server is told to work in (file:///…); none if absent. client: each agent names its own, which may move the server out of the folders you gave it; needs isolation session.',
  ),
  passMethods: maybe(
    z.array(z.string().min(1)).max(100),
    'Methods that the protocol does not have and that are passed on; none if absent.',
  ),
  parallel: maybe(
    z.enum(['free', 'exclusive-writes']),
    'exclusive-writes: within a session reads run together, all other calls run alone.',
  ),
  checkArguments: maybe(z.boolean(), "Refuse arguments that do not fit a tool's own schema; true if absent."),
  retry: maybe(
    retry,
    'How calls that read only or are idempotent are repeated when they got lost; false: never.',
  ),
  rate: maybe(rate, 'How many calls this server may get, from all callers together.'),
  results: maybe(resultRules, 'What is done with its results, where it differs from `results`.'),
  guardrails: maybe(guardrails, 'Rules on the arguments of its tools.'),
  toolGuardrails: maybe(
    z.record(z.string(), guardrails),
    'Rules on the arguments of certain tools, by name; * stands for any characters.',
  ),
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
