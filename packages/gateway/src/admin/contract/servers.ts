import { z } from 'zod'
import { name, pageOf, place, time } from './common.ts'

const trust = z.enum(['reviewed', 'trusted'])

const problem = z.object({ path: z.string(), ...place })

export const server = z.object({
  name: z.string(),
  /**
   * `idle`: the server starts at its first call. `waiting`: it failed and will be retried. `disabled`: the config
   * disables it.
   */
  state: z.enum(['idle', 'starting', 'ready', 'waiting', 'stopped', 'disabled']),
  era: z.enum(['legacy', 'modern']).optional(),
  protocolVersion: z.string().optional(),
  /** The server's own description. */
  info: z.object({ name: z.string().optional(), version: z.string().optional() }).optional(),
  transport: z.enum(['stdio', 'http', 'sse', 'openapi']),
  /** True if a person must sign in to the server with OAuth. */
  signsIn: z.boolean(),
  /** The command with its arguments, as in the config; secrets are masked. */
  command: z.string().optional(),
  url: z.string().optional(),
  trust,
  enabled: z.boolean(),
  tools: z.number(),
  /** The number of tools that wait for review. */
  held: z.number(),
  lastError: z.string().optional(),
  /** The last lines of the server's standard error, oldest first. */
  stderr: z.array(z.string()),
  breaker: z.object({ isOpen: z.boolean(), reason: z.string().optional() }),
  queue: z.object({ running: z.number(), waiting: z.number() }),
  coverage: z.object({
    declared: z.number(),
    inferred: z.number(),
    assumed: z.number(),
    overridden: z.number(),
  }),
  /** The value to send as If-Match when changing the server. */
  etag: z.string(),
})

/** `config` is the entry in the config file, with secrets masked. A mask that is sent back keeps the original value. */
const serverPage = server.extend({ config: z.record(z.string(), z.unknown()) })

/** One entry of `mcpServers`; checked by the config loader. */
const serverEntry = z.record(z.string(), z.unknown())

const params = z.strictObject({ name })

export const serversContract = {
  listServers: { response: pageOf(server) },
  getServer: { params, response: serverPage },
  listImportable: {
    response: z.object({
      items: z.array(
        z.object({
          client: z.string(),
          file: z.string(),
          name: z.string(),
          /** The entry with secrets masked, for display only. */
          config: serverEntry,
          isKnown: z.boolean(),
        }),
      ),
    }),
  },
  addServer: { body: z.strictObject({ name, config: serverEntry }), response: serverPage },
  updateServer: { params, body: z.strictObject({ config: serverEntry }), response: serverPage },
  removeServer: { params, response: z.object({ name: z.string() }) },
  testServer: {
    body: z.strictObject({ name: name.optional(), config: serverEntry }),
    response: z.object({
      ok: z.boolean(),
      error: z.string().optional(),
      problems: z.array(problem),
      era: z.enum(['legacy', 'modern']).optional(),
      protocolVersion: z.string().optional(),
      tools: z.array(z.object({ name: z.string(), title: z.string() })),
      stderr: z.array(z.string()),
      durationMs: z.number(),
    }),
  },
  restartServer: { params, response: server },
  signInToServer: { params, response: z.object({ url: z.string() }) },
  trustServer: { params, body: z.strictObject({ trust }), response: serverPage },
  configProblems: {
    response: z.object({ file: z.string().optional(), problems: z.array(problem) }),
  },
  doctor: {
    response: z.object({
      checkedAt: time,
      findings: z.array(
        z.object({
          code: z.string(),
          level: z.enum(['error', 'warning', 'info']),
          text: z.string(),
          fix: z.string(),
          server: z.string().optional(),
        }),
      ),
    }),
  },
}
