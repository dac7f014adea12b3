import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { writeJson } from '../../../protocol/parse-json.ts'
import type { Operation } from '../document/operation.ts'

interface Paged {
  readonly operation: Operation
  readonly args: Json
  readonly url: URL
  readonly headers: ReadonlyMap<string, string>
  readonly value: unknown
}

/** Members that hold the address of the next page. */
const ADDRESSES = ['next', 'next_url', 'nextUrl', 'next_page_url', 'nextLink', '@odata.nextLink', 'next_href']
/** Members that hold a cursor or number for the next page. */
const CURSORS = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_token',
  'nextToken',
  'next_page',
  'nextPage',
  'continuation_token',
  'continuationToken',
  'next',
]
/** Members in which services put data about pages. */
const HOLDERS = [
  'meta',
  'paging',
  'pagination',
  'links',
  '_links',
  'page',
  'page_info',
  'response_metadata',
  'cursors',
]
/** Arguments that take such a cursor or number, likeliest first. */
const ARGUMENTS =
  /^(?:page_?token|next_?token|next_?page_?token|cursor|next_?cursor|after|starting_?after|continuation_?token|start_?cursor|marker|page)$/i

/** Says how to ask for the next page; undefined if there is none. The gateway never asks for it on its own. */
export function findNextPage(paged: Paged): string | undefined {
  const address = linkIn(paged.headers.get('link')) ?? findText(paged.value, ADDRESSES)?.text
  const fromAddress = address === undefined ? undefined : argumentsIn(address, paged)
  if (fromAddress !== undefined) return tell(paged, fromAddress)
  const cursor = findText(paged.value, CURSORS)
  const argument = cursor && findArgument(paged.operation, cursor.member)
  return argument === undefined ? undefined : tell(paged, { [argument]: cursor?.value })
}

function tell({ operation, args }: Paged, changed: Json): string {
  const { name } = operation.definition
  return `There are more results. For the next page, call ${name} with ${writeJson({ ...args, ...changed })}`
}

const MOST_LINK = 8192

/** Returns the target of `rel="next"` in a Link header (RFC 8288). */
function linkIn(header: string | undefined): string | undefined {
  for (const part of (header ?? '').slice(0, MOST_LINK).split(/,(?=\s*<)/)) {
    const [, target, parameters = ''] = /^\s*<([^<>]*)>(.*)$/.exec(part) ?? []
    if (
      target !== undefined &&
      /;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:;|$)/i.test(parameters)
    )
      return target
  }
  return undefined
}

interface Found {
  readonly member: string
  readonly value: unknown
  readonly text: string
}

function findText(value: unknown, members: readonly string[]): Found | undefined {
  if (!isJsonObject(value)) return undefined
  const places = [value, ...HOLDERS.map(name => value[name]).filter(isJsonObject)]
  for (const place of places)
    for (const member of members) {
      const { [member]: written } = place
      const held = isJsonObject(written) ? written.href : written
      if (typeof held === 'number' || (typeof held === 'string' && held !== ''))
        return { member, value: held, text: String(held) }
    }
  return undefined
}

/** Returns the arguments that lead to an address; undefined if the address is not that of the same operation. */
function argumentsIn(address: string, { operation, args, url }: Paged): Json | undefined {
  if (!URL.canParse(address, url.href) || !/^(?:https?:\/\/|[/?])/.test(address)) return undefined
  const next = new URL(address, url)
  if (next.origin !== url.origin || next.pathname !== url.pathname) return undefined
  const changed: [string, unknown][] = []
  for (const { place, style, name, argument } of operation.parameters) {
    const given = place === 'query' && style === 'form' ? next.searchParams.getAll(name) : []
    const [only] = given
    if (given.length !== 1 || only === undefined || only === String(args[argument])) continue
    changed.push([argument, isNumeric(operation, argument, only) ? Number(only) : only])
  }
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

function isNumeric({ definition }: Operation, argument: string, text: string): boolean {
  const { properties } = definition.inputSchema as { readonly properties: Json }
  const { type } = (properties[argument] ?? {}) as Json
  return (type === 'integer' || type === 'number') && /^\d{1,15}$/.test(text)
}

function findArgument({ parameters }: Operation, member: string): string | undefined {
  const own = member.replace(/^next_?/i, '').toLowerCase()
  const fitting = parameters.filter(({ place, name }) => place === 'query' && ARGUMENTS.test(name))
  const best = fitting.find(({ name }) => name.toLowerCase() === own || name === member)
  return (best ?? fitting[0])?.argument
}
