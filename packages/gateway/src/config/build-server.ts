import { type BaseFolders, resolvePath } from './resolve-path.ts'
import { defined, type Frozen } from './schema/defined.ts'
import { buildOAuthSettings, type OAuthSettings } from './schema/oauth-config.ts'
import { addressOf, type ServerInput } from './schema/server-schema.ts'

/** One server, with every default filled in and every path absolute. */
export type ServerConfig = Frozen<ReturnType<typeof buildServer>>

export type TransportConfig =
  | ({
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
      /**
       * The values that the server's entry takes from `${env:…}` and `${file:…}`. They are removed from what the server
       * writes.
       */
      readonly confided?: readonly string[]
    } & Frozen<ReturnType<typeof buildConfinement>>)
  | {
      readonly kind: 'http' | 'sse'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly oauth?: OAuthSettings
      readonly confided?: readonly string[]
    }
  | {
      readonly kind: 'openapi'
      /** The OpenAPI document. */
      readonly file: string
      /** The address of the API; undefined if the document gives it. */
      readonly url: string | undefined
      readonly headers: Readonly<Record<string, string>>
      readonly auth: ApiAuth | undefined
      readonly include: readonly string[]
      readonly exclude: readonly string[]
      readonly confided?: readonly string[]
    }

/** How requests to an HTTP API authenticate. */
type ApiAuth =
  | { readonly kind: 'header'; readonly header: string; readonly value: string }
  | {
      readonly kind: 'clientCredentials'
      readonly tokenUrl?: string | undefined
      readonly issuer?: string | undefined
      readonly clientId: string
      readonly clientSecret: string
      readonly scope?: string | undefined
    }
  /** The credential that each caller sends for this API. */
  | { readonly kind: 'caller'; readonly header: string }

const MINUTE = 60_000

export function buildServer(name: string, server: ServerInput, folders: BaseFolders) {
  return {
    name,
    transport: buildTransport(server, folders),
    trust: server.trust ?? 'reviewed',
    enabled: server.enabled ?? !(server.disabled ?? false),
    lazy: server.lazy ?? false,
    timeoutMs: server.timeout ?? MINUTE,
    startTimeoutMs: server.startTimeout ?? MINUTE / 2,
    concurrency: server.concurrency ?? 64,
    queue: server.queue ?? 256,
    isolation: server.isolation ?? 'shared',
    sessions: server.sessions ?? 128,
    sessionsPerPrincipal: server.sessionsPerPrincipal ?? 32,
    roots: server.roots ?? [],
    passMethods: server.passMethods ?? [],
    parallel: server.parallel ?? 'free',
    checkArguments: server.checkArguments ?? true,
    retry: buildRetry(server.retry ?? {}),
  }
}

function buildRetry(retry: NonNullable<ServerInput['retry']>) {
  const {
    attempts = 3,
    delay = 100,
    maxDelay = 5000,
    budget = 0.2,
  } = retry === false ? { attempts: 1 } : retry
  return { attempts, delayMs: delay, maxDelayMs: maxDelay, budget }
}

function buildTransport(server: ServerInput, folders: BaseFolders): TransportConfig {
  const { command, openapi, type = server.transport } = server
  if (openapi !== undefined)
    return {
      kind: 'openapi',
      file: resolvePath(openapi, folders),
      url: addressOf(server),
      headers: server.headers ?? {},
      auth: buildAuth(server.auth),
      include: server.include ?? [],
      exclude: server.exclude ?? [],
    }
  if (command === undefined)
    return {
      kind: type === 'sse' ? 'sse' : 'http',
      url: addressOf(server) ?? '',
      headers: server.headers ?? {},
      ...(server.oauth && { oauth: buildOAuthSettings(server.oauth) }),
    }
  return {
    kind: 'stdio',
    // A bare name is looked up on the PATH. A path is relative to the config file.
    command: /^\.{0,2}\/|^~\//.test(command) ? resolvePath(command, folders) : command,
    args: server.args ?? [],
    env: server.env ?? {},
    cwd: resolvePath(server.cwd ?? '.', folders),
    ...buildConfinement(server, folders),
  }
}

function buildAuth(auth: ServerInput['auth']): ApiAuth | undefined {
  if (auth === undefined) return undefined
  if ('clientCredentials' in auth) return { kind: 'clientCredentials', ...auth.clientCredentials }
  return 'caller' in auth ? { kind: 'caller', header: auth.caller } : { kind: 'header', ...auth }
}

/** The resource limits and the sandbox of a stdio server; empty if not configured. */
function buildConfinement(server: ServerInput, folders: BaseFolders) {
  const { resources, sandbox } = server
  return {
    ...(resources && { resources: buildLimits(resources) }),
    ...(sandbox && { sandbox: buildSandbox(sandbox, server.cwd, folders) }),
  }
}

function buildLimits({ memory, cpu, openFiles, processes }: NonNullable<ServerInput['resources']>) {
  return defined({ memoryBytes: memory, cpuMs: cpu, openFiles, processes })
}

function buildSandbox(
  { network = false, read = [], write = [] }: NonNullable<ServerInput['sandbox']>,
  cwd: string | undefined,
  folders: BaseFolders,
) {
  // The working folder is exposed only if it is configured, because the default is the config's own folder.
  const own = cwd === undefined ? [] : [resolvePath(cwd, folders)]
  return {
    network,
    read: [...own, ...read.map(path => resolvePath(path, folders))],
    write: write.map(path => resolvePath(path, folders)),
    cwd: own[0] ?? '/tmp',
  }
}
