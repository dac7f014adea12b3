import type { Context } from '../call/context.ts'
import { ToolFailure } from '../call/question.ts'
import type { ToolResult } from '../call/results.ts'
import { asRecord } from './document.ts'
import type { Operation } from './operation.ts'

type Headers = Readonly<Record<string, string>>

export interface Service {
  readonly baseUrl: string
  /** Headers for every request, such as credentials. */
  readonly headers: Headers | ((ctx: Context<unknown>) => Headers | Promise<Headers>)
  readonly fetch: typeof fetch
}

const SHOWN = 1000

/** Calls an operation and returns the service's answer. */
export async function sendRequest(
  operation: Operation,
  service: Service,
  { ctx, args }: { readonly ctx: Context<unknown>; readonly args: unknown },
): Promise<ToolResult> {
  const given = asRecord(args)
  const url = buildUrl(operation, service.baseUrl, given)
  const own = typeof service.headers === 'function' ? await service.headers(ctx) : service.headers
  const { body, headers } = buildBody(operation, given)
  const response = await service.fetch(url, {
    method: operation.method.toUpperCase(),
    // The author's headers come last, because an argument must not be able to replace a credential.
    headers: {
      accept: 'application/json, */*;q=0.5',
      ...headerArguments(operation, given),
      ...headers,
      ...own,
    },
    ...(body === undefined ? {} : { body }),
    signal: ctx.signal,
    // Redirects are not followed, because they could send these headers to another service.
    redirect: 'manual',
  })
  return readResponse(response, ctx)
}

function buildUrl(
  { path, parameters }: Operation,
  baseUrl: string,
  given: Readonly<Record<string, unknown>>,
): URL {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find(one => one.place === 'path' && one.name === name)
    return encodeSegment(parameter === undefined ? undefined : given[parameter.argument], name)
  })
  const url = new URL(`${baseUrl.replace(/\/$/, '')}${filled}`)
  for (const { place, name, argument } of parameters) {
    if (place !== 'query') continue
    for (const value of toList(given[argument])) url.searchParams.append(name, toText(value))
  }
  return url
}

/** Encodes a value as exactly one path segment. Slashes are encoded, and `.` and `..` are rejected. */
function encodeSegment(value: unknown, name: string): string {
  const text = toList(value).map(toText).join(',')
  if (text === '' || text === '.' || text === '..')
    throw new ToolFailure(`The value "${text}" of ${name} cannot be used in a path`)
  return encodeURIComponent(text)
}

function headerArguments({ parameters }: Operation, given: Readonly<Record<string, unknown>>): Headers {
  const sent = parameters.filter(({ place, argument }) => place === 'header' && given[argument] !== undefined)
  return Object.fromEntries(sent.map(({ name, argument }) => [name, toText(given[argument])]))
}

function buildBody(
  { body }: Operation,
  given: Readonly<Record<string, unknown>>,
): { body?: string; headers: Headers } {
  const value = body === undefined ? undefined : given[body.argument]
  if (body === undefined || value === undefined) return { headers: {} }
  const headers = { 'content-type': body.mediaType }
  if (body.mediaType.startsWith('text/')) return { body: toText(value), headers }
  if (!body.mediaType.includes('urlencoded')) return { body: JSON.stringify(value), headers }
  const pairs = Object.entries(asRecord(value)).flatMap(([key, held]) =>
    toList(held).map((one): [string, string] => [key, toText(one)]),
  )
  return { body: new URLSearchParams(pairs).toString(), headers }
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function readResponse(response: Response, ctx: Context<unknown>): Promise<ToolResult> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok) {
    const text = (await response.text()).slice(0, SHOWN)
    const said = text === '' ? '' : `: ${text}`
    return ctx.fail(`The service answered ${response.status}${said}`, { status: response.status })
  }
  if (type.startsWith('image/')) return ctx.image(new Uint8Array(await response.arrayBuffer()), type)
  const text = await response.text()
  if (text === '') return ctx.text(`Done (${response.status}).`)
  return /\bjson\b/.test(type) ? ctx.json(JSON.parse(text)) : ctx.text(text)
}
