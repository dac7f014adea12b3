import { z } from 'zod'
import { parseDuration, parseMoment, parseRate, parseSize } from '../../base/measures.ts'
import { isSafeUrl } from '../../base/safe-url.ts'
import { PERMISSIONS } from '../../scope/scope.ts'
import { type Address, parseListen } from './listen.ts'

/** Messages say what was expected and never what was found: it may be a secret. */

/** A timer of Node fires at once beyond this. */
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

const DURATION = 'expected a duration: milliseconds, or a text such as "30s", "5m" or "1h"'
const SIZE = 'expected a size: bytes, or a text such as "64kb" or "4mb"'

export const duration = measure(DURATION, ['30s', 30_000]).transform((value, ctx) => {
  const ms = parseDuration(value)
  if (ms === undefined)
    return complain(ctx, DURATION, 'write it as a number and one of ms, s, m, h, d: "30s"')
  if (ms < 1 || ms > LONGEST_TIMER_MS)
    return complain(ctx, 'expected a duration from "1ms" to "24d"', 'write a duration in that range')
  return ms
})

export const size = measure(SIZE, ['4mb', 4_194_304]).transform((value, ctx) => {
  const bytes = parseSize(value)
  if (bytes === undefined) return complain(ctx, SIZE, 'write it as a number and one of b, kb, mb, gb: "4mb"')
  if (bytes < 1 || bytes > 2 ** 31 - 1)
    return complain(ctx, 'expected a size from "1b" to just under "2gb"', 'write a size in that range')
  return bytes
})

export const rate = z
  .string()
  .meta({ examples: ['60/m', '5/10s'] })
  .transform(
    (value, ctx) =>
      parseRate(value) ??
      complain(ctx, 'expected how many calls in how long', 'write for example "60/m", "5/10s" or "1000/h"'),
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
        'expected a date or a moment with its time zone',
        'write it as "2027-01-31" or "2027-01-31T12:00:00Z"',
      ),
  )

export const listen = z
  .string()
  .meta({ examples: ['127.0.0.1:4428', '[::1]:4428'] })
  .transform((value, ctx): Address => {
    const address = parseListen(value)
    return address ?? complain(ctx, 'expected HOST:PORT', 'write it as "127.0.0.1:4428" or "[::1]:4428"')
  })

/** No `pattern` in the JSON Schema: an editor sees `${env:NAME}` where we see what the variable holds. */
const text = (mayBe: (value: string) => boolean, { expected, fix }: { expected: string; fix: string }) =>
  z.string().superRefine((value, ctx) => {
    if (!mayBe(value)) complain(ctx, expected, fix)
  })

export const storeUrl = text(value => /^(?:sqlite:(?!\/\/[^/]).|postgres(?:ql)?:\/\/.)/.test(value), {
  expected: 'expected a store: sqlite:PATH or postgres://…',
  fix: 'write for example "sqlite:data/hintgate.db"',
}).meta({ examples: ['sqlite:data/hintgate.db'] })

export const httpUrl = text(isWebAddress, {
  expected: 'expected a URL that starts with http:// or https://, without a name and password in it',
  fix: 'write for example "https://crm.example/mcp"; credentials belong into "headers"',
}).meta({ examples: ['https://crm.example/mcp'] })

export const safeUrl = text(isSafeUrl, {
  expected: 'expected a URL that starts with https://, or with http:// on this machine',
  fix: 'write for example "https://id.example"',
}).meta({ examples: ['https://id.example'] })

export const origin = text(value => URL.canParse(value) && new URL(value).origin === value, {
  expected: 'expected the origin of a web page',
  fix: 'write scheme, host and port and nothing after them: "https://console.example"',
}).meta({ examples: ['https://console.example'] })

export const hostName = text(value => /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(value), {
  expected: 'expected a host name',
  fix: 'write it without a scheme, with a port if it matters: "mcp.example"',
}).meta({ examples: ['mcp.example'] })

/** Short or monotonous secrets are guessed; 32 characters is what our own tokens have at the least. */
export const secret = text(value => /^[\x21-\x7E]{32,512}$/.test(value) && new Set(value).size >= 8, {
  expected: 'expected a secret of 32 to 512 random characters without spaces',
  fix: 'leave it out and run `hintgate tokens create`, or take what `openssl rand -base64 33` prints',
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
      message: 'not a possible environment variable',
      params: { fix: 'a name has no "=" and neither name nor value a NUL character' },
    })
  }
})

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/

export const headers = z.record(z.string(), z.string()).superRefine((values, ctx) => {
  for (const [name, value] of Object.entries(values)) {
    if (HEADER_NAME.test(name) && !/[\0\r\n]/.test(value)) continue
    ctx.addIssue({
      code: 'custom',
      path: [name],
      message: 'not a possible HTTP header',
      params: { fix: 'a name has letters, digits and dashes only, a value is one line' },
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
