import { z } from 'zod'
import { parseDuration, parseMoment, parseRate, parseSize } from '../../base/measures.ts'
import { isSafeUrl } from '../../base/safe-url.ts'
import { PERMISSIONS } from '../../scope/scope.ts'
import { type Address, parseListen } from './listen.ts'

/** The messages here describe the expected form and never quote the given value, which could be a secret. */

/** Maximum duration. With a longer one, Node's timers fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export function maybe<Schema extends z.ZodType>(schema: Schema, description: string): z.ZodOptional<Schema> {
  return schema.describe(description).optional()
}

const complain = (ctx: z.RefinementCtx, message: string, fix: string): never => {
  ctx.addIssue({ code: 'custom', message, params: { fix } })
  return z.NEVER
}

const measure = (expected: string, examples: (string | number)[]) =>
  z.union([z.number(), z.string()], { error: expected }).meta({ examples })

const DURATION = 'expected a duration: milliseconds, or a string such as "30s", "5m" or "1h"'
const SIZE = 'expected a size: bytes, or a string such as "64kb" or "4mb"'

export const duration = measure(DURATION, ['30s', 30_000]).transform((value, ctx) => {
  const ms = parseDuration(value)
  if (ms === undefined)
    return complain(ctx, DURATION, 'write a number followed by ms, s, m, h or d, such as "30s"')
  if (ms < 1 || ms > LONGEST_TIMER_MS)
    return complain(ctx, 'expected a duration from "1ms" to "24d"', 'write a duration in that range')
  return ms
})

export const size = measure(SIZE, ['4mb', 4_194_304]).transform((value, ctx) => {
  const bytes = parseSize(value)
  if (bytes === undefined)
    return complain(ctx, SIZE, 'write a number followed by b, kb, mb or gb, such as "4mb"')
  if (bytes < 1 || bytes > 2 ** 31 - 1)
    return complain(ctx, 'expected a size from "1b" to just under "2gb"', 'write a size in that range')
  return bytes
})

export const rate = z
  .string()
  .meta({ examples: ['60/m', '5/10s'] })
  .transform(
    (value, ctx) =>
      parseRate(value) ?? complain(ctx, 'expected a rate', 'use a form such as "60/m", "5/10s" or "1000/h"'),
  )

export const count = z.int().min(1).max(10_000_000)

export const moment = z
  .string()
  .meta({ examples: ['2027-01-31', '2027-01-31T12:00:00Z'] })
  .transform(
    (value, ctx) =>
      parseMoment(value) ??
      complain(
        ctx,
        'expected a date, or a date and time with a time zone',
        'use a form such as "2027-01-31" or "2027-01-31T12:00:00Z"',
      ),
  )

export const listen = z
  .string()
  .meta({ examples: ['127.0.0.1:4428', '[::1]:4428'] })
  .transform((value, ctx): Address => {
    const address = parseListen(value)
    return (
      address ?? complain(ctx, 'expected HOST:PORT', 'use a form such as "127.0.0.1:4428" or "[::1]:4428"')
    )
  })

/**
 * Creates the schema of a string with a check. The JSON Schema gets no `pattern`, because an editor sees `${env:NAME}`
 * instead of the value.
 */
const text = (mayBe: (value: string) => boolean, { expected, fix }: { expected: string; fix: string }) =>
  z.string().superRefine((value, ctx) => {
    if (!mayBe(value)) complain(ctx, expected, fix)
  })

export const storeUrl = text(value => /^(?:sqlite:(?!\/\/[^/]).|postgres(?:ql)?:\/\/.)/.test(value), {
  expected: 'expected a store: sqlite:PATH or postgres://…',
  fix: 'use a form such as "sqlite:data/hintgate.db"',
}).meta({ examples: ['sqlite:data/hintgate.db'] })

export const httpUrl = text(isWebAddress, {
  expected: 'expected a URL that starts with http:// or https:// and contains no user name or password',
  fix: 'use a form such as "https://crm.example/mcp"; put credentials in "headers"',
}).meta({ examples: ['https://crm.example/mcp'] })

export const safeUrl = text(isSafeUrl, {
  expected: 'expected a URL that starts with https://, or with http:// on this machine',
  fix: 'use a form such as "https://id.example"',
}).meta({ examples: ['https://id.example'] })

export const origin = text(value => URL.canParse(value) && new URL(value).origin === value, {
  expected: 'expected the origin of a web page',
  fix: 'write only the scheme, host and port, such as "https://console.example"',
}).meta({ examples: ['https://console.example'] })

export const hostName = text(value => /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(value), {
  expected: 'expected a host name',
  fix: 'write the host name without a scheme, and with a port if needed, such as "mcp.example"',
}).meta({ examples: ['mcp.example'] })

/**
 * A secret that cannot be guessed, because it is long and not repetitive. The gateway's own tokens have at least 32
 * characters.
 */
export const secret = text(value => /^[\x21-\x7E]{32,512}$/.test(value) && new Set(value).size >= 8, {
  expected: 'expected a secret of 32 to 512 random characters without spaces',
  fix: 'remove the secret and run `hintgate tokens create`, or use the output of `openssl rand -base64 33`',
}).meta({ examples: [`\${env:AGENT_TOKEN}`] })

function isWebAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return (
    (url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.password === ''
  )
}

export const environment = z.record(z.string(), z.string()).superRefine((env, ctx) => {
  for (const [name, value] of Object.entries(env)) {
    if (name !== '' && !/[=\0]/.test(name) && !value.includes('\0')) continue
    ctx.addIssue({
      code: 'custom',
      path: [name],
      message: 'invalid environment variable',
      params: { fix: 'remove "=" from the name, and NUL characters from name and value' },
    })
  }
})

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/

/** Headers that belong to the connection, so that they cannot hold a credential. */
const OF_CONNECTION =
  /^(?:connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

export const headerName = text(value => HEADER_NAME.test(value) && !OF_CONNECTION.test(value), {
  expected: 'expected the name of an HTTP header',
  fix: 'use a name such as "Authorization" or "X-Api-Key"',
}).meta({ examples: ['X-Api-Key'] })

export const headers = z.record(z.string(), z.string()).superRefine((values, ctx) => {
  for (const [name, value] of Object.entries(values)) {
    if (HEADER_NAME.test(name) && !/[\0\r\n]/.test(value)) continue
    ctx.addIssue({
      code: 'custom',
      path: [name],
      message: 'invalid HTTP header',
      params: { fix: 'use only letters, digits and dashes in the name, and write the value on one line' },
    })
  }
})

const SHORT_NAMES = {
  read: 'call_tool_read',
  write: 'call_tool_write',
  destructive: 'call_tool_destructive',
} as const

export const permission = z
  .enum([...PERMISSIONS, 'read', 'write', 'destructive'])
  .transform(name =>
    name === 'read' || name === 'write' || name === 'destructive' ? SHORT_NAMES[name] : name,
  )

export const glob = z.string().min(1).max(256)
