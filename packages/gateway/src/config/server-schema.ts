import { z } from 'zod'
import { count, duration, environment, headers, httpUrl, rate } from './leaves.ts'
import { guardrails, resultRules } from './rule-schema.ts'

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

const fields = z.strictObject({
  command: z.string().min(1).describe('Program to start; it is spoken to over stdio.').optional(),
  args: z.array(z.string()).describe('Its arguments.').optional(),
  env: environment.describe('Environment variables added to a small safe set.').optional(),
  cwd: z.string().min(1).describe("Its working folder; the config file's folder if absent.").optional(),
  url: httpUrl.describe('Address of a server that is reached over HTTP.').optional(),
  serverUrl: httpUrl.describe("Windsurf's name for `url`.").optional(),
  httpUrl: httpUrl.describe("Gemini's name for `url`.").optional(),
  headers: headers.describe('HTTP headers sent with every request.').optional(),
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
  for (const { path, message, fix } of findContradictions(server))
    ctx.addIssue({ code: 'custom', path, message, params: { fix } })
})

interface Contradiction {
  readonly path: string[]
  readonly message: string
  readonly fix: string
}

export type ServerInput = z.output<typeof serverSchema>

/** The address under whichever name it was given. */
export function addressOf(server: ServerFields): string | undefined {
  return server.url ?? server.serverUrl ?? server.httpUrl
}

function findContradictions(server: ServerFields): Contradiction[] {
  return [...findWaysIn(server), ...findMisfits(server), ...findSwitches(server)]
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

function findMisfits(server: ServerFields): Contradiction[] {
  const given = (keys: readonly ('args' | 'env' | 'cwd' | 'headers')[]) =>
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
  const idle = server.command === undefined ? given(['args', 'env', 'cwd']) : given(['headers'])
  const other = server.command === undefined ? 'a server behind a URL' : 'a server that is a program'
  if (server.command !== undefined || addressOf(server) !== undefined)
    for (const name of idle)
      found.push({ path: [name], message: `does nothing for ${other}`, fix: 'remove it' })
  return found
}

function findSwitches({ enabled, disabled }: ServerFields): Contradiction[] {
  if (enabled === undefined || disabled === undefined || enabled !== disabled) return []
  return [{ path: ['disabled'], message: 'contradicts "enabled"', fix: 'keep one of them' }]
}
