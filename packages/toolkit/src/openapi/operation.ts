import { SchemaConverter } from './convert-schema.ts'
import { asRecord, asRecords, asText, follow, type Json, UnusableOperation } from './document.ts'

type Place = 'path' | 'query' | 'header'

/** An argument of a tool, and where it goes in the HTTP request. */
interface Parameter {
  /** The argument's name in the tool. In the request, it is called `name`. */
  readonly argument: string
  readonly name: string
  readonly place: Place
}

interface Body {
  readonly argument: string
  readonly mediaType: string
}

/** Everything that a tool needs to call an operation of an API. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  readonly inputSchema: Json
}

/** Headers that OpenAPI does not allow an operation to declare as parameters. */
const NOT_ARGUMENTS = new Set(['accept', 'content-type', 'authorization'])
const MEDIA_TYPES = [/^application\/(.+\+)?json\b/, /^application\/x-www-form-urlencoded\b/, /^text\/plain\b/]

interface Written {
  readonly method: string
  readonly path: string
  readonly item: Json
  readonly operation: Json
}

export function readOperation(document: Json, { method, path, item, operation }: Written): Operation {
  const converter = new SchemaConverter(document)
  const described = describeParameters(document, item, operation)
  const parameters = described.map(({ parameter }) => parameter)
  const names = new Set(parameters.map(({ argument }) => argument))
  const body = readBody(follow(document, operation.requestBody), names.has('body') ? 'requestBody' : 'body')
  const fields: [string, Json][] = described.map(({ parameter, of }) => [
    parameter.argument,
    { ...converter.convert(schemaOf(of)), ...describe(of) },
  ])
  if (body !== undefined) fields.push([body.argument, converter.convert(body.schema)])
  const required = described.filter(({ of }) => of.required === true || of.in === 'path')
  const definitions = () => converter.definitions()
  const properties = Object.fromEntries(fields)
  const $defs = definitions()
  return {
    method,
    path,
    parameters,
    body,
    inputSchema: {
      type: 'object',
      properties,
      required: [
        ...required.map(({ parameter }) => parameter.argument),
        ...(body?.isRequired ? [body.argument] : []),
      ],
      additionalProperties: false,
      ...(Object.keys($defs).length === 0 ? {} : { $defs }),
    },
  }
}

interface Described {
  readonly parameter: Parameter
  readonly of: Json
}

/**
 * Describes the parameters. A parameter of the operation overrides the path's parameter with the same name and
 * location.
 */
function describeParameters(document: Json, item: Json, operation: Json): Described[] {
  const all = [...asRecords(item.parameters), ...asRecords(operation.parameters)]
  const found = new Map<string, Json>()
  for (const parameter of all.map(one => follow(document, one)))
    found.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter)
  const usable = [...found.values()].filter(isUsable)
  const names = usable.map(({ name }) => String(name))
  return usable.map(of => {
    const [name, place] = [String(of.name), of.in as Place]
    const isShared = names.filter(other => other === name).length > 1
    return { parameter: { argument: isShared ? `${place}_${name}` : name, name, place }, of }
  })
}

function isUsable({ in: place, name }: Json): boolean {
  if (place === 'header') return !NOT_ARGUMENTS.has(String(name).toLowerCase())
  return place === 'path' || place === 'query'
}

/** Returns a parameter's own schema, or the schema of its single media type. */
function schemaOf({ schema, content }: Json): unknown {
  const [media] = Object.values(asRecord(content))
  return schema ?? asRecord(media).schema ?? {}
}

function describe({ description }: Json): Json {
  const text = asText(description)
  return text === undefined ? {} : { description: text }
}

function readBody(
  { content, required }: Json,
  argument: string,
): (Body & { schema: unknown; isRequired: boolean }) | undefined {
  const offered = Object.entries(asRecord(content))
  if (offered.length === 0) return undefined
  const chosen = MEDIA_TYPES.flatMap(wanted => offered.filter(([mediaType]) => wanted.test(mediaType)))[0]
  if (chosen === undefined)
    throw new UnusableOperation(`A body of type ${offered.map(([type]) => type).join(', ')} cannot be sent.`)
  const [mediaType, media] = chosen
  return { argument, mediaType, schema: asRecord(media).schema ?? {}, isRequired: required === true }
}
