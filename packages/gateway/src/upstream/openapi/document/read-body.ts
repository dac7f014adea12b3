import type { Json } from '../../../protocol/messages.ts'
import type { SchemaConverter } from './convert-schema.ts'
import { UnusablePart } from './document-error.ts'
import { isEndless } from './find-endless.ts'
import { asObject, asText, follow } from './follow.ts'
import type { Body } from './operation.ts'
import type { Work } from './work.ts'

export interface DescribedBody {
  readonly body: Body
  readonly schema: Json
  readonly isRequired: boolean
}

const KINDS: readonly (readonly [Body['kind'], RegExp])[] = [
  ['json', /^(?:application|text)\/(?:[\w.+-]+\+)?json$|^\*\/\*$|^application\/\*$/],
  ['form', /^application\/x-www-form-urlencoded$/],
  ['multipart', /^multipart\/form-data$/],
  ['text', /^text\/|^application\/(?:[\w.+-]+\+)?(?:xml|yaml|x-yaml|javascript|graphql|sql)$|ndjson$/],
  ['binary', /^(?:application|image|audio|video|font)\//],
]

/** Chooses the media type in which a body is sent, and describes the argument for it. Undefined without a body. */
export function readBody(root: Json, operation: Json, converter: SchemaConverter): DescribedBody | undefined {
  const written = follow(root, operation.requestBody)
  const offered = Object.entries(asObject(written.content)).map(([type, media]) => ({
    type,
    plain: type.split(';')[0]?.trim().toLowerCase() ?? '',
    media: asObject(media),
  }))
  if (offered.length === 0) return undefined
  for (const [kind, pattern] of KINDS) {
    const found = offered.find(({ plain }) => pattern.test(plain))
    if (found === undefined) continue
    if (isEndless(root, found.media.schema, converter.work))
      throw new UnusablePart('its body would have to contain itself without end')
    const mediaType = found.plain.includes('*') ? 'application/json' : found.type
    const described = describe({ root, kind, mediaType, media: found.media }, converter)
    return {
      ...described,
      schema: withText(described.schema, written),
      isRequired: written.required === true,
    }
  }
  throw new UnusablePart(`a body of type ${offered.map(({ type }) => type).join(', ')} cannot be sent`)
}

interface Chosen {
  readonly root: Json
  readonly kind: Body['kind']
  readonly mediaType: string
  readonly media: Json
}

function describe(
  { root, kind, mediaType, media }: Chosen,
  converter: SchemaConverter,
): Omit<DescribedBody, 'isRequired'> {
  if (kind === 'multipart') return describeMultipart(root, { mediaType, media }, converter)
  if (kind === 'binary')
    return { body: { kind, mediaType }, schema: { ...BASE64, description: `${mediaType}, in base64` } }
  if (kind === 'text')
    return { body: { kind, mediaType }, schema: { type: 'string', description: mediaType } }
  return { body: { kind, mediaType }, schema: converter.convert(media.schema ?? {}) }
}

function withText(schema: Json, { description }: Json): Json {
  const text = asText(description)
  return text === undefined || schema.description !== undefined
    ? schema
    : { ...schema, description: text.slice(0, 1000) }
}

const BASE64: Json = { type: 'string', contentEncoding: 'base64' }

/** A file in a form: its bytes in base64, and optionally a name and a media type. */
const FILE: Json = {
  type: 'object',
  properties: {
    base64: { ...BASE64, description: "the file's bytes, in base64" },
    filename: { type: 'string', maxLength: 255 },
    mediaType: { type: 'string', maxLength: 255 },
  },
  required: ['base64'],
  additionalProperties: false,
}

/** Describes a form with files. Its members must be known, because files are sent differently from text. */
function describeMultipart(
  root: Json,
  { mediaType, media }: { readonly mediaType: string; readonly media: Json },
  converter: SchemaConverter,
): Omit<DescribedBody, 'isRequired'> {
  const { properties, required } = new MemberReader(root, converter.work).read(media.schema)
  const files = new Set<string>()
  const shown = Object.entries(properties).map(([name, schema]): [string, Json] => {
    const followed = follow(root, schema)
    if (isFile(followed)) {
      files.add(name)
      return [name, withText(FILE, followed)]
    }
    if (followed.type !== 'array' || !isFile(follow(root, followed.items)))
      return [name, converter.convert(schema)]
    files.add(name)
    return [name, withText({ type: 'array', items: FILE }, followed)]
  })
  const types = Object.entries(asObject(media.encoding)).flatMap(([name, encoding]) => {
    const type = asText(asObject(encoding).contentType)?.split(',')[0]
    return type === undefined || type.includes('*') ? [] : [[name, type] as const]
  })
  return {
    body: { kind: 'multipart', mediaType, files, types: Object.fromEntries(types) },
    schema: {
      type: 'object',
      properties: Object.fromEntries(shown),
      ...(required.length === 0 ? {} : { required }),
      ...(follow(root, media.schema).additionalProperties === false ? { additionalProperties: false } : {}),
    },
  }
}

function isFile({ type, format, contentMediaType, contentEncoding }: Json): boolean {
  if (type !== undefined && type !== 'string' && type !== 'file') return false
  return (
    type === 'file' ||
    format === 'binary' ||
    format === 'byte' ||
    contentEncoding === 'base64' ||
    (typeof contentMediaType === 'string' && !/json|^text\//.test(contentMediaType))
  )
}

interface Members {
  readonly properties: Json
  readonly required: readonly string[]
}

const MOST_DEPTH = 10

/** Merges the members of schemas. A schema that several others combine is looked at once. */
class MemberReader {
  readonly #root: Json
  readonly #work: Work
  readonly #known = new Map<Json, Members>()

  constructor(root: Json, work: Work) {
    this.#root = root
    this.#work = work
  }

  /** Returns all members that a schema names, in itself or in the schemas that it combines. */
  read(written: unknown, depth = 0): Members {
    const schema = follow(this.#root, written)
    const known = this.#known.get(schema)
    if (known !== undefined || depth > MOST_DEPTH) return known ?? NO_MEMBERS
    // A schema within itself adds nothing.
    this.#known.set(schema, NO_MEMBERS)
    const merged = this.#merge(schema, depth)
    this.#known.set(schema, merged)
    return merged
  }

  #merge({ properties, required, allOf, oneOf, anyOf }: Json, depth: number): Members {
    const parts = [allOf, oneOf, anyOf].map(list => (Array.isArray(list) ? list : []))
    const [all = [], ...either] = parts.map(list => list.map(part => this.read(part, depth + 1)))
    const own = {
      properties: asObject(properties),
      required: Array.isArray(required) ? required.filter(name => typeof name === 'string') : [],
    }
    const merged = [...all, ...either.flat(), own]
    for (const part of merged)
      this.#work.spend(1 + part.required.length + Object.keys(part.properties).length)
    return {
      properties: Object.assign({}, ...merged.map(part => part.properties)) as Json,
      required: [...new Set([...all, own].flatMap(part => part.required))],
    }
  }
}

const NO_MEMBERS: Members = { properties: {}, required: [] }
