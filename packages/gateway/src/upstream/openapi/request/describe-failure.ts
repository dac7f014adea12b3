import { STATUS_CODES } from 'node:http'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { readServerJson } from '../../../protocol/read-server-json.ts'
import type { ApiResponse } from './describe-answer.ts'
import type { Hide } from './hide.ts'

interface Failed {
  /** The operation's method and path, such as `GET /pets/{id}`. */
  readonly operation: string
  readonly server: string
  readonly hide: Hide
  /** Says where the credential comes from, which decides who can correct it. */
  readonly credential: 'config' | 'caller'
}

const MOST_SAID = 600

/** Turns a response that reports an error into a failed result, with what the API said and what can be done. */
export function describeFailure(response: ApiResponse, failed: Failed): Json {
  const { status } = response
  const said = messageIn(response, failed.hide)
  const name = STATUS_CODES[status] ?? ''
  const lines = [
    `The API answered ${`${status} ${name}`.trim()} to ${failed.operation}${said === '' ? '.' : `: ${said}`}`,
    remedyFor(response, failed),
  ]
  return {
    isError: true,
    content: [{ type: 'text', text: lines.filter(line => line !== '').join('\n') }],
    structuredContent: { status, ...(said === '' ? {} : { said }) },
  }
}

function remedyFor({ status, headers }: ApiResponse, { server, credential }: Failed): string {
  const where =
    credential === 'caller' ? 'the credential that the caller sends for it' : `"auth" of mcpServers.${server}`
  if (status === 401) return `The API does not accept the credential. An operator must correct ${where}.`
  if (status === 403)
    return `The credential does not permit this. If it should, an operator must change ${where}.`
  if (status === 404)
    return 'Check the ids in the arguments; what they name does not exist, or the credential gives no access to it.'
  if (status === 429) return `Too many requests. ${waitFor(headers.get('retry-after'))}`
  if (status === 409 || status === 412)
    return 'The data has changed or is in another state. Read it again first.'
  if (status === 400 || status === 422) return 'Correct the arguments as the message says.'
  if (status >= 300 && status < 400) return redirectOf(headers.get('location'))
  return status >= 500 ? 'The API failed. The call may have taken effect; check before you repeat it.' : ''
}

function waitFor(after: string | undefined): string {
  if (after !== undefined && /^\d{1,7}$/.test(after)) return `Wait ${after} seconds before the next call.`
  const at = after === undefined ? Number.NaN : Date.parse(after)
  return Number.isNaN(at) ? 'Wait before the next call.' : `Wait until ${new Date(at).toISOString()}.`
}

function redirectOf(location: string | undefined): string {
  if (location === undefined || !URL.canParse(location)) return 'The redirect is not followed.'
  return `The redirect leads to ${new URL(location).origin}, which is not followed, because only the configured address is used.`
}

/** Returns what an error says: a member that services use for messages, or else the beginning of its text. */
function messageIn({ bytes, headers }: ApiResponse, hide: Hide): string {
  // Hidden before anything is cut, because a part of a credential would not be recognised.
  const whole = hide(bytes.toString()).slice(0, MOST_READ)
  const parsed = readServerJson(whole)
  const found = parsed.ok ? findMessage(parsed.value, 0) : undefined
  const isMarkup = /html|xml/i.test(headers.get('content-type') ?? '')
  return clean(hide(found ?? (isMarkup ? titleOf(whole) : whole)))
}

const MOST_READ = 64 * 1024
const MEMBERS = [
  'detail',
  'message',
  'error_description',
  'error',
  'errors',
  'title',
  'description',
  'msg',
  'reason',
]
const MOST_DEPTH = 4

function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value
  if (depth > MOST_DEPTH) return undefined
  if (Array.isArray(value)) return findMessage(value[0], depth + 1)
  if (!isJsonObject(value)) return undefined
  for (const member of MEMBERS) {
    const found = Object.hasOwn(value, member) ? findMessage(value[member], depth + 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function titleOf(markup: string): string {
  return /<title>([^<]{1,200})/i.exec(markup)?.[1] ?? ''
}

/** Puts a text on one line, without characters that cannot be seen. */
function clean(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return plain.length > MOST_SAID ? `${plain.slice(0, MOST_SAID)}…` : plain
}
