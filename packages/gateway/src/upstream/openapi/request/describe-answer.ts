import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { writeJson } from '../../../protocol/parse-json.ts'
import { readServerJson } from '../../../protocol/read-server-json.ts'
import type { Operation } from '../document/operation.ts'
import { findNextPage } from './find-next-page.ts'
import { type Hide, hideInValue } from './hide.ts'

/** A response of the API, complete and within the limit. */
export interface ApiResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Buffer
}

interface Asked {
  readonly operation: Operation
  readonly args: Json
  /** The address of the request, without secrets. */
  readonly url: URL
  /** Removes the config's and the caller's secrets from a text. */
  readonly hide: Hide
}

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\b/i
const TEXT_TYPE =
  /^text\/|^application\/(?:[\w.+-]+\+)?(?:xml|yaml|x-yaml|javascript|graphql|x-ndjson|x-www-form-urlencoded)\b/i

/** Turns a successful response into the result of a tool call. */
export function describeAnswer(response: ApiResponse, asked: Asked): Json {
  const type = asked.hide(response.headers.get('content-type') ?? '')
  const { structure } = asked.operation
  if (response.bytes.length === 0)
    return { content: [text(`Done (${response.status}).`)], ...emptyFor(structure) }
  if (JSON_TYPE.test(type) || (type === '' && structure !== undefined)) return describeJson(response, asked)
  if (TEXT_TYPE.test(type) || type === '')
    return { content: [text(asked.hide(response.bytes.toString()))], ...emptyFor(structure) }
  return { content: [describeBytes(response, type, asked)], ...emptyFor(structure) }
}

/** A tool with an output schema always has structured content, because clients require it. */
function emptyFor(structure: Operation['structure']): Json {
  return structure === undefined ? {} : { structuredContent: {} }
}

function describeJson(response: ApiResponse, asked: Asked): Json {
  const { structure } = asked.operation
  const written = response.bytes.toString()
  const parsed = readServerJson(written)
  if (!parsed.ok) return { content: [text(asked.hide(written))], ...emptyFor(structure) }
  // Hidden after parsing, because JSON can write any character in another form.
  const value = hideInValue(parsed.value, asked.hide)
  const said = value === parsed.value && asked.hide(written) === written ? written : writeJson(value)
  const structured = isJsonObject(value) && structure !== 'wrapped' ? value : { result: value }
  const next = findNextPage({ ...asked, headers: response.headers, value })
  return {
    content: [text(said), ...(next === undefined ? [] : [text(asked.hide(next))])],
    structuredContent: structured,
  }
}

function describeBytes({ bytes }: ApiResponse, type: string, { url, hide }: Asked): Json {
  const plain = bytes.toString()
  // Bytes cannot be changed without breaking them.
  if (hide(plain) !== plain)
    return text(`${bytes.length} bytes are withheld, because they contain a credential of the request.`)
  const [mimeType = ''] = type.split(';').map(part => part.trim().toLowerCase())
  const data = bytes.toString('base64')
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType }
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType }
  return { type: 'resource', resource: { uri: hide(`${url.origin}${url.pathname}`), mimeType, blob: data } }
}

function text(said: string): Json {
  return { type: 'text', text: said }
}
