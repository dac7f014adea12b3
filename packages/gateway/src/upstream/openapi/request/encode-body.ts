import { randomUUID } from 'node:crypto'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { writeJson } from '../../../protocol/parse-json.ts'
import { changesMethod } from '../document/member-name.ts'
import { BODY, type Body } from '../document/operation.ts'
import { encode, toText, UnusableArgument } from './serialise.ts'

export interface EncodedBody {
  readonly bytes: string | Buffer
  readonly contentType: string
}

/** Encodes the argument `body` in its media type. */
export function encodeBody(body: Body, value: unknown): EncodedBody {
  const { kind, mediaType: contentType } = body
  const override = Object.keys(isJsonObject(value) ? value : {}).find(changesMethod)
  if (override !== undefined)
    throw new UnusableArgument(BODY, `must not have the member ${override}, which can change the method`)
  switch (kind) {
    case 'json':
      return { bytes: writeJson(value), contentType }
    case 'text':
      return { bytes: toText(value), contentType }
    case 'binary':
      return { bytes: decode(BODY, value), contentType }
    case 'form':
      return { bytes: writeForm(value), contentType }
    case 'multipart':
      return encodeParts(body, value)
  }
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

function decode(argument: string, value: unknown): Buffer {
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, '') : undefined
  if (text === undefined || !BASE64.test(text))
    throw new UnusableArgument(argument, 'must be bytes in base64')
  return Buffer.from(text, 'base64')
}

function writeForm(value: unknown): string {
  const members = Object.entries(isJsonObject(value) ? value : {})
  const pairs = members.flatMap(([name, held]) =>
    (Array.isArray(held) ? held : [held]).map(item => `${encode(name)}=${encode(toText(item))}`),
  )
  return pairs.join('&').replaceAll('%20', '+')
}

interface Part {
  readonly name: string
  readonly bytes: Buffer
  readonly filename?: string
  readonly type?: string
}

function encodeParts({ files, types }: Extract<Body, { kind: 'multipart' }>, value: unknown): EncodedBody {
  const members = Object.entries(isJsonObject(value) ? value : {})
  const parts = members.flatMap(([name, held]) =>
    (Array.isArray(held) ? held : [held]).map(item =>
      files.has(name) ? readFile(name, item) : readField({ name, type: types[name] }, item),
    ),
  )
  // The boundary is random, so no argument can contain it.
  const boundary = `hintgate-${randomUUID()}`
  const pieces = parts.flatMap(part => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    part.bytes,
    END,
  ])
  return {
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

const END = Buffer.from('\r\n')

function readFile(name: string, value: unknown): Part {
  const file: Json = isJsonObject(value) ? value : { base64: value }
  const { filename = name, mediaType = 'application/octet-stream' } = file
  return {
    name,
    bytes: decode(`${BODY}.${name}`, file.base64),
    filename: String(filename),
    type: plainType(String(mediaType)),
  }
}

function readField(
  { name, type }: { readonly name: string; readonly type: string | undefined },
  value: unknown,
): Part {
  const isScalar = typeof value !== 'object' || value === null
  const mediaType = type ?? (isScalar ? undefined : 'application/json')
  return {
    name,
    bytes: Buffer.from(toText(value)),
    ...(mediaType === undefined ? {} : { type: plainType(mediaType) }),
  }
}

function plainType(type: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream'
}

function headOf({ name, filename, type }: Part): string {
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`
  const line = type === undefined ? '' : `\r\ncontent-type: ${type}`
  return `content-disposition: form-data; name="${quote(name)}"${file}${line}`
}

/** Escapes a name as HTML forms do, so that it cannot end its line or its quotes. */
function quote(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
