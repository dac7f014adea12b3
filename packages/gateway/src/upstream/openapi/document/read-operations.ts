import { createHash } from 'node:crypto'
import { HTTP_METHODS, humaniseName, isServiceDomain, META_HTTP, META_METADATA } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { serverOf } from './base-url.ts'
import { SchemaConverter } from './convert-schema.ts'
import { UnusablePart } from './document-error.ts'
import { asObject, asText, follow } from './follow.ts'
import { nameOperations } from './name-operations.ts'
import { BODY, type LeftOut, type Operation } from './operation.ts'
import { readBody } from './read-body.ts'
import { readParameters } from './read-parameters.ts'
import { readResponse } from './read-response.ts'
import { findExclusion, type Selection } from './select-operations.ts'
import { Work } from './work.ts'

export interface ReadOptions extends Selection {
  /** The names of headers that the config sets, in lower case. */
  readonly ownHeaders: ReadonlySet<string>
  /** The address of the API. Operations with an address of their own at another origin are left out. */
  readonly baseUrl: URL
  /** True if the document chose the address. It is then a part of every definition, so that a change is reviewed. */
  readonly isFromDocument?: boolean
  /** Maximum number of steps for the whole document. */
  readonly steps?: number
}

export interface ReadOperations {
  readonly operations: readonly Operation[]
  readonly leftOut: readonly LeftOut[]
}

interface Found {
  readonly method: string
  readonly path: string
  readonly item: Json
  readonly operation: Json
}

/** Methods that OpenAPI defines but that make no useful tool. */
const USELESS: Readonly<Record<string, string>> = {
  HEAD: 'HEAD has no content to return; use the GET operation of the same path',
  OPTIONS: 'OPTIONS only describes how the API can be used, and the document already does that',
  TRACE: 'TRACE repeats the request with its credentials',
}
const METHODS = [...new Set([...Object.keys(HTTP_METHODS), 'TRACE'])]
/** Maximum number of tools of one document, as for any server. */
const MOST_TOOLS = 10_000
/** Maximum number of characters of one tool, and of all together. Longer lists are cut by the catalog. */
const MOST_LENGTH = 250_000
const MOST_IN_ALL = 15_000_000

/**
 * Turns every operation of a document into a tool, or says why it is left out. One unusable operation does not affect
 * the others.
 */
export function readOperations(root: Json, options: ReadOptions): ReadOperations {
  const leftOut: LeftOut[] = []
  const found = findOperations(root, leftOut)
  const work = new Work(options.steps)
  const names = nameOperations(found)
  const operations: Operation[] = []
  let length = 0
  for (const [at, one] of found.entries()) {
    const read = tryRead({ root, work }, { ...one, name: names[at] ?? '' }, options)
    const size = typeof read === 'string' ? 0 : JSON.stringify(read.definition).length
    const reason = typeof read === 'string' ? read : findExcess({ size, length, count: operations.length })
    if (typeof read === 'string' || reason !== undefined)
      leftOut.push({ operation: nameOf(one), reason: reason ?? '' })
    else {
      length += size
      operations.push(read)
    }
  }
  return { operations, leftOut }
}

function nameOf({ method, path }: Pick<Found, 'method' | 'path'>): string {
  return `${method} ${path}`
}

function findExcess(so: {
  readonly size: number
  readonly length: number
  readonly count: number
}): string | undefined {
  if (so.size > MOST_LENGTH) return 'its schemas are too long for a tool'
  return so.count >= MOST_TOOLS || so.length + so.size > MOST_IN_ALL
    ? 'the document has too many operations; choose some with "include"'
    : undefined
}

function findOperations(root: Json, leftOut: LeftOut[]): readonly Found[] {
  return Object.entries(asObject(root.paths)).flatMap(([path, written]) => {
    if (path.startsWith('x-')) return []
    try {
      if (!path.startsWith('/')) throw new UnusablePart('its path does not start with a slash')
      const item = follow(root, written)
      return METHODS.flatMap(method => {
        const operation = item[method.toLowerCase()]
        return isJsonObject(operation) ? [{ method, path, item, operation }] : []
      })
    } catch (error) {
      leftOut.push({ operation: path, reason: reasonOf(error) })
      return []
    }
  })
}

function reasonOf(error: unknown): string {
  if (error instanceof UnusablePart) return error.message
  throw error
}

type Wanted = Found & { readonly name: string }

/** Returns the operation, or the reason why there is no tool for it. */
function tryRead(whole: Whole, wanted: Wanted, options: ReadOptions): Operation | string {
  const { method, path, operation, item, name } = wanted
  const tags = tagsOf(operation)
  const excluded = findExclusion({ name, id: asText(operation.operationId), method, path, tags }, options)
  if (excluded !== undefined) return excluded
  if (Object.hasOwn(USELESS, method)) return USELESS[method] ?? ''
  const elsewhere = serverOf(operation) ?? serverOf(item)
  if (elsewhere !== undefined && !isSameServer(elsewhere, whole.root, options.baseUrl))
    return `it is at another server, ${elsewhere}; add that one as a server of its own`
  try {
    return read(whole, wanted, options)
  } catch (error) {
    return reasonOf(error)
  }
}

/** True if an operation's own address is the API's: the same as the document's, or at the same origin. */
function isSameServer(own: string, root: Json, baseUrl: URL): boolean {
  return (
    own === serverOf(root) ||
    (URL.canParse(own, baseUrl.href) && new URL(own, baseUrl).origin === baseUrl.origin)
  )
}

interface Whole {
  readonly root: Json
  readonly work: Work
}

function read(
  { root, work }: Whole,
  { method, path, item, operation, name }: Wanted,
  { ownHeaders, baseUrl, isFromDocument = false }: ReadOptions,
): Operation {
  const converter = new SchemaConverter({ root, work }, 'request')
  const described = readParameters({ root, item, operation, ownHeaders, baseUrl }, converter)
  const body = readBody(root, operation, converter)
  const parameters = described.map(({ parameter }) => parameter)
  checkPath(
    path,
    parameters.filter(({ place }) => place === 'path').map(one => one.name),
  )
  const fields: (readonly [string, Json])[] = described.map(({ parameter, schema }) => [
    parameter.argument,
    schema,
  ])
  if (body !== undefined) fields.push([BODY, body.schema])
  const required = described.filter(({ isRequired }) => isRequired).map(({ parameter }) => parameter.argument)
  if (body?.isRequired) required.push(BODY)
  const $defs = converter.definitions()
  const { accept, structure, outputSchema } = readResponse(root, operation, work)
  return {
    method,
    path,
    parameters,
    body: body?.body,
    accept,
    structure,
    definition: {
      name,
      ...describeTool({ operation, name, method, path }),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(fields),
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
        ...(Object.keys($defs).length === 0 ? {} : { $defs }),
      },
      ...(outputSchema === undefined ? {} : { outputSchema }),
      _meta: {
        [META_HTTP]: {
          method,
          path,
          ...(isFromDocument ? { url: baseUrl.href } : {}),
          request: digest({ parameters, body: body?.body }),
        },
        ...describeTags(operation),
      },
    },
  }
}

/**
 * Identifies how arguments become a request: where each goes, under which name and in which form. The schemas do not show
 * it, and a change of it can give an approved call another meaning.
 */
function digest(request: Pick<Operation, 'parameters' | 'body'>): string {
  const written = JSON.stringify(request, (_, value: unknown) => (value instanceof Set ? [...value] : value))
  return createHash('sha256').update(written).digest('hex').slice(0, 32)
}

/** Checks that the path's placeholders are exactly its parameters, so that no request contains a brace. */
function checkPath(path: string, given: readonly string[]): void {
  const wanted = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const missing = wanted.find(name => !given.includes(name))
  if (missing !== undefined) throw new UnusablePart(`the path parameter ${missing} is not described`)
  const loose = given.find(name => !wanted.includes(name))
  if (loose !== undefined) throw new UnusablePart(`the path parameter ${loose} is not in the path`)
  if (/[{}?#\\\s]|\/\.{1,2}(?:\/|;|$)/.test(path.replaceAll(/\{[^{}]+\}/g, 'x')))
    throw new UnusablePart('its path contains a character that a path cannot have')
  if (path.includes('//'))
    throw new UnusablePart('its path has an empty part, which can be read as another host')
}

const MOST_TEXT = 2000

function describeTool({
  operation,
  name,
  method,
  path,
}: Pick<Wanted, 'operation' | 'name' | 'method' | 'path'>): Json {
  const summary = asText(operation.summary)
  const text = asText(operation.description) ?? summary ?? `${method} ${path}`
  const description = operation.deprecated === true ? `Deprecated. ${text}` : text
  return {
    title: (summary ?? humaniseName(name)).slice(0, 200),
    description: description.length > MOST_TEXT ? `${description.slice(0, MOST_TEXT)}…` : description,
    // The document can declare hints. They count like those that any server declares.
    ...(isJsonObject(operation['x-hintgate']) && isJsonObject(operation['x-hintgate'].annotations)
      ? { annotations: operation['x-hintgate'].annotations }
      : {}),
  }
}

function tagsOf({ tags }: Json): readonly string[] {
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string').slice(0, MOST_TAGS) : []
}

const MOST_TAGS = 40

/** Keeps an operation's tags, and makes service domains of those that name one. */
function describeTags(operation: Json): Json {
  const tags = tagsOf(operation)
  if (tags.length === 0) return {}
  const plain = tags.map(tag =>
    tag
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_'),
  )
  const serviceDomains = [...new Set(plain.filter(isServiceDomain))]
  return {
    [META_METADATA]: { ...(serviceDomains.length === 0 ? {} : { classification: { serviceDomains } }), tags },
  }
}
