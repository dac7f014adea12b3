import { z } from 'zod'
import {
  count,
  duration,
  environment,
  headerName,
  headers,
  httpUrl,
  maybe,
  rate,
  safeUrl,
  size,
} from './leaves.ts'
import { guardrails, resultRules } from './rule-schema.ts'
import { findUnsafeVariables } from './unsafe-variables.ts'

/** The schema of an entry of `mcpServers`, with all the names that clients use for its keys. */

const KINDS = ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const

const retry = z.union(
  [
    z.literal(false),
    z.strictObject({
      attempts: maybe(z.int().min(1).max(10), 'Maximum number of attempts per call. Default: 3.'),
      delay: maybe(
        duration,
        'Maximum delay before the first retry; it doubles with each retry. Default: 100ms.',
      ),
      maxDelay: maybe(duration, 'Maximum delay before any retry. Default: 5s.'),
      budget: maybe(z.number().min(0).max(1), 'Maximum share of calls that are retried. Default: 0.2.'),
    }),
  ],
  { error: 'expected false, or an object such as { "attempts": 3 }' },
)

const resources = z.strictObject({
  memory: maybe(size, 'Maximum writable memory.'),
  cpu: maybe(duration, 'Maximum total CPU time.'),
  openFiles: maybe(count, 'Maximum number of open files and sockets.'),
  processes: maybe(count, "Maximum number of processes and threads of the program's user."),
})

const oauth = z.union(
  [
    z.literal(true),
    z.strictObject({
      grant: maybe(
        z.enum(['authorization_code', 'client_credentials']),
        'authorization_code: a person signs in once. client_credentials: the gateway signs in itself.',
      ),
      clientId: maybe(
        z.string().min(1),
        'The registered client id. Without it, the gateway registers itself.',
      ),
      clientSecret: maybe(z.string().min(1), 'The client secret, usually from the environment.'),
      clientMetadataUrl: maybe(
        safeUrl,
        'URL of a client metadata document, for authorization servers that accept one instead of a registration.',
      ),
      scope: maybe(z.string().min(1), 'The requested scopes, separated by spaces.'),
      issuer: maybe(safeUrl, 'The only authorization server to use. Required with clientSecret.'),
    }),
  ],
  { error: 'expected true, or an object such as { "clientId": … }' },
)

const clientCredentials = z.strictObject({
  tokenUrl: maybe(safeUrl, 'URL at which the authorization server issues tokens.'),
  issuer: maybe(safeUrl, 'The authorization server, if it describes itself (RFC 8414). Replaces tokenUrl.'),
  clientId: z.string().min(1).describe('The registered client id.'),
  clientSecret: z.string().min(1).describe('The client secret, usually from the environment.'),
  scope: maybe(z.string().min(1), 'The requested scopes, separated by spaces.'),
})

const auth = z.union(
  [
    z.strictObject({
      header: headerName.describe('Name of the header, such as X-Api-Key.'),
      value: z.string().min(1).describe('Value of the header, usually from the environment.'),
    }),
    z.strictObject({
      clientCredentials: clientCredentials.describe('The gateway gets tokens for itself with OAuth 2.0.'),
    }),
    z.strictObject({
      caller: headerName.describe(
        'Name of the header that gets the credential of the caller, such as Authorization. Each caller sends its own to the gateway, in the header X-Hintgate-Credential-NAME.',
      ),
    }),
  ],
  {
    error:
      'expected { "header": …, "value": … }, { "clientCredentials": … } or { "caller": "Authorization" }',
  },
)

const folders = z.array(z.string().min(1))

const sandbox = z.strictObject({
  network: maybe(z.boolean(), 'Whether the program can use the network. Default: false.'),
  read: maybe(folders, 'Files and folders that the program can read, in addition to the system.'),
  write: maybe(folders, 'Folders that the program can change.'),
})

const patterns = z.array(z.string().min(1).max(256)).max(1000)

const FOLDER = 'expected a folder such as "file:///srv/data"'
const roots = z.union([z.literal('client'), z.array(z.string().regex(/^file:\/\/\//, FOLDER)).max(1000)], {
  error: 'expected folders such as ["file:///srv/data"], or "client"',
})

const fields = z.strictObject({
  command: maybe(z.string().min(1), 'The program to start. The gateway talks to it over stdio.'),
  args: maybe(z.array(z.string()), 'Arguments of the program.'),
  env: maybe(environment, 'Environment variables for the program, in addition to a small set of safe ones.'),
  allowUnsafeEnv: maybe(
    z.boolean(),
    'Accept variables in `env` that load code into the server, such as NODE_OPTIONS or LD_PRELOAD.',
  ),
  resources: maybe(resources, 'Resource limits for the program. Requires prlimit.'),
  sandbox: maybe(sandbox, 'Runs the program in a sandbox. Requires bubblewrap.'),
  cwd: maybe(z.string().min(1), "The program's working folder. Default: the config file's folder."),
  openapi: maybe(
    z.string().min(1),
    "File with the OpenAPI document (3.0 or 3.1) of an HTTP API. Each of its operations is a tool. Relative to the config file's folder.",
  ),
  auth: maybe(auth, 'How requests to the HTTP API of `openapi` authenticate.'),
  include: maybe(
    patterns,
    'The operations of `openapi` that are tools: operationId, `tag:NAME`, method, path, or method and path; * matches any characters. Default: all.',
  ),
  exclude: maybe(
    patterns,
    'The operations of `openapi` that do not become tools, in the same form as `include`.',
  ),
  url: maybe(
    httpUrl,
    'URL of an HTTP server. With `openapi`: the address of the API, in place of its `servers`.',
  ),
  serverUrl: maybe(httpUrl, "Windsurf's name for `url`."),
  httpUrl: maybe(httpUrl, "Gemini's name for `url`."),
  headers: maybe(headers, 'HTTP headers sent with every request.'),
  oauth: maybe(oauth, 'Obtains tokens for the server with OAuth 2.1; see hintgate servers login.'),
  type: maybe(z.enum(KINDS), 'The transport. Detected by default.'),
  transport: maybe(z.enum(KINDS), 'Another name for `type`.'),
  disabled: maybe(z.boolean(), 'Whether the server is disabled.'),
  enabled: maybe(z.boolean(), 'Whether the server is enabled.'),
  trust: maybe(
    z.enum(['reviewed', 'trusted']),
    'reviewed: new and changed tools wait for review. trusted: the first tool set is approved automatically. Default: reviewed.',
  ),
  lazy: maybe(
    z.boolean(),
    'Whether the server starts at the first call instead of with the gateway. Default: false.',
  ),
  timeout: maybe(duration, 'Maximum duration of a request. Default: 60s.'),
  startTimeout: maybe(duration, "Maximum duration of the server's start. Default: 30s."),
  concurrency: maybe(count, 'Maximum number of concurrent calls. Default: 64.'),
  queue: maybe(z.int().min(0).max(1_000_000), 'Maximum number of queued calls. Default: 256.'),
  isolation: maybe(
    z.enum(['shared', 'session']),
    'session: every client session has its own connection (and process). Default: shared.',
  ),
  sessions: maybe(count, 'Maximum number of connections if isolation is session. Default: 128.'),
  sessionsPerPrincipal: maybe(
    count,
    'Maximum number of connections per caller if isolation is session. Default: 32.',
  ),
  roots: maybe(
    roots,
    'Folders that the server is told to work in (file:///…). client: each agent names its own folders, which can be any on this machine; requires isolation session. Default: none.',
  ),
  passMethods: maybe(
    z.array(z.string().min(1)).max(100),
    'Methods outside the protocol that are forwarded. Default: none.',
  ),
  parallel: maybe(
    z.enum(['free', 'exclusive-writes']),
    'exclusive-writes: within a session, reads run in parallel and every other call runs alone. Default: free.',
  ),
  checkArguments: maybe(
    z.boolean(),
    "Whether arguments that do not match the tool's schema are refused. Default: true.",
  ),
  retry: maybe(retry, 'How read-only and idempotent calls are retried if they get no answer. false: never.'),
  rate: maybe(rate, 'The maximum rate of calls from all callers together.'),
  results: maybe(resultRules, "How the server's results are checked. Overrides `results`."),
  guardrails: maybe(guardrails, "Rules about the arguments of the server's tools."),
  toolGuardrails: maybe(
    z.record(z.string(), guardrails),
    'Rules about the arguments of some tools, by tool name; * matches any characters.',
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
  /** Set if the problem is the key itself, not its value. */
  readonly aboutKey?: true
}

export type ServerInput = z.output<typeof serverSchema>

export function addressOf(server: ServerFields): string | undefined {
  return server.url ?? server.serverUrl ?? server.httpUrl
}

function findContradictions(server: ServerFields): Contradiction[] {
  return [
    ...findTargets(server),
    ...findOAuthFaults(server),
    ...findUnusedKeys(server),
    ...findApiFaults(server),
    ...findEnabledConflict(server),
    ...findSharedRoots(server),
    ...(server.allowUnsafeEnv ? [] : findUnsafeVariables(server.env ?? {})),
  ]
}

function findTargets(server: ServerFields): Contradiction[] {
  const urls = (['url', 'serverUrl', 'httpUrl'] as const).filter(key => server[key] !== undefined)
  const commands = server.command === undefined ? [] : ['command']
  const documents = server.openapi === undefined ? [] : ['openapi']
  // The address of an API can be given in addition to its document.
  const targets =
    documents.length > 0 && urls.length === 1
      ? [...commands, ...documents]
      : [...commands, ...documents, ...urls]
  if (targets.length === 1) return []
  if (targets.length === 0)
    return [
      {
        path: [],
        message: 'the server has no command and no URL',
        fix: 'add "command" to start a program, "url" to connect to a server, or "openapi" for an HTTP API',
      },
    ]
  return [
    {
      path: [targets[1] ?? ''],
      message: `${targets.join(' and ')} cannot be used together`,
      fix: 'keep one of them',
    },
  ]
}

const OF_PROGRAMS = ['args', 'env', 'cwd', 'resources', 'sandbox'] as const

function findUnusedKeys(server: ServerFields): Contradiction[] {
  const given = (keys: readonly ('args' | 'env' | 'cwd' | 'resources' | 'sandbox' | 'headers')[]) =>
    keys.filter(key => Object.keys(server[key] ?? {}).length > 0)
  const found: Contradiction[] = []
  const key = server.type === undefined ? 'transport' : 'type'
  const type = server.type ?? server.transport
  if (server.type !== undefined && server.transport !== undefined && server.type !== server.transport)
    found.push({ path: ['transport'], message: 'conflicts with "type"', fix: 'keep one of them' })
  if (type === 'stdio' && server.command === undefined && addressOf(server) !== undefined)
    found.push({
      path: [key],
      message: 'stdio requires "command", but a URL is configured',
      fix: 'write "http"',
    })
  if (type !== undefined && type !== 'stdio' && server.command !== undefined)
    found.push({
      path: [key],
      message: `${type} requires "url", but a command is configured`,
      fix: 'write "stdio"',
    })
  const idle = server.command === undefined ? given(OF_PROGRAMS) : given(['headers'])
  const other = server.command === undefined ? 'an HTTP server' : 'a stdio server'
  if (server.command !== undefined || addressOf(server) !== undefined)
    for (const name of idle)
      found.push({ path: [name], message: `has no effect for ${other}`, fix: 'remove it' })
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
    found.push({ path: ['oauth'], message: 'applies only to servers over Streamable HTTP', fix: 'remove it' })
  if (Object.keys(fixed ?? {}).some(name => name.toLowerCase() === 'authorization'))
    found.push({
      path: ['oauth'],
      message: 'conflicts with the Authorization header',
      fix: 'keep one of them',
    })
  if (settings !== true && settings.grant === 'client_credentials') {
    const isWhole = settings.clientId !== undefined && settings.clientSecret !== undefined
    if (!isWhole)
      found.push({
        path: ['oauth'],
        message: 'client_credentials requires a registered client',
        fix: 'add "clientId" and "clientSecret"',
      })
  }
  // If no issuer is configured, the server names one, and it could name one that it controls.
  if (settings !== true && settings.clientSecret !== undefined && settings.issuer === undefined)
    found.push({
      path: ['oauth', 'clientSecret'],
      message: 'the secret would be sent to any authorization server that the server names',
      fix: 'add the issuer that gave you the secret: "issuer": "https://…"',
    })
  return found
}

const OF_MCP_SERVERS = ['oauth', 'type', 'transport', 'roots', 'isolation', 'passMethods'] as const

/** Finds keys that only HTTP APIs have, or that they do not have, and faults of `auth`. */
function findApiFaults(server: ServerFields): Contradiction[] {
  const { openapi, auth: given, headers: fixed = {} } = server
  const idle = openapi === undefined ? (['auth', 'include', 'exclude'] as const) : OF_MCP_SERVERS
  const found = idle
    .filter(key => server[key] !== undefined)
    .map((key): Contradiction => {
      const message =
        openapi === undefined ? 'applies only to a server with "openapi"' : 'has no effect for an HTTP API'
      const fix = key === 'oauth' ? 'use "auth" with "clientCredentials"' : 'remove it'
      return { path: [key], message, fix }
    })
  if (openapi !== undefined && /^[a-z][a-z+.-]+:\/\//i.test(openapi))
    found.push({
      path: ['openapi'],
      message: 'must be a file',
      fix: 'download the document and give its path',
    })
  // The document could otherwise name another address in its next version, and receive the credentials there.
  const hasOwn = given !== undefined || Object.keys(fixed).length > 0
  if (openapi !== undefined && server.url === undefined && hasOwn)
    found.push({
      path: [given === undefined ? 'headers' : 'auth'],
      message: 'would be sent to any address that the document names',
      fix: 'add the address of the API: "url": "https://…"',
    })
  const own = given === undefined ? undefined : authHeaderOf(given)
  if (Object.keys(fixed).some(name => name.toLowerCase() === own))
    found.push({
      path: ['auth'],
      message: 'sets a header that is also in "headers"',
      fix: 'keep one of them',
    })
  if (given !== undefined && 'clientCredentials' in given) {
    const { tokenUrl, issuer } = given.clientCredentials
    if ((tokenUrl === undefined) === (issuer === undefined))
      found.push({
        path: ['auth', 'clientCredentials'],
        message: 'requires either "tokenUrl" or "issuer"',
        fix: 'add "tokenUrl": "https://…"',
      })
  }
  return found
}

function authHeaderOf(given: NonNullable<ServerFields['auth']>): string {
  if ('clientCredentials' in given) return 'authorization'
  return ('caller' in given ? given.caller : given.header).toLowerCase()
}

function findEnabledConflict({ enabled, disabled }: ServerFields): Contradiction[] {
  if (enabled === undefined || disabled === undefined || enabled !== disabled) return []
  return [{ path: ['disabled'], message: 'conflicts with "enabled"', fix: 'keep one of them' }]
}

/**
 * Finds roots that come from clients although the server is shared. One agent's roots would then decide where all
 * agents read and write.
 */
function findSharedRoots({ roots: given, isolation }: ServerFields): Contradiction[] {
  if (given !== 'client' || isolation === 'session') return []
  return [
    {
      path: ['roots'],
      message: "one agent would choose the server's folders for all agents",
      fix: 'add "isolation": "session", or list the folders: ["file:///…"]',
    },
  ]
}
