import { isHeaderName } from '../../../http/client/write-request.ts'
import type { Json } from '../../../protocol/messages.ts'
import type { SchemaConverter } from './convert-schema.ts'
import { UnusablePart } from './document-error.ts'
import { asObject, asObjects, asText, follow } from './follow.ts'
import { changesMethod, plainMember } from './member-name.ts'
import { BODY, type Parameter, type Place, type Style } from './operation.ts'

/** A parameter, and what the tool's schema says about its argument. */
export interface DescribedParameter {
  readonly parameter: Parameter
  readonly schema: Json
  readonly isRequired: boolean
}

/**
 * Headers that no argument can set: they carry credentials, decide who receives the request, or belong to the
 * connection.
 */
const FORBIDDEN = new Set(
  'accept accept-encoding authorization connection content-encoding content-length content-type cookie cookie2 expect forwarded host keep-alive origin proxy-authenticate proxy-authorization proxy-connection referer te trailer transfer-encoding upgrade via x-http-method x-http-method-override x-method-override x-original-url x-rewrite-url'.split(
    ' ',
  ),
)
const FORBIDDEN_PREFIX = /^(?:x-forwarded-|x-hintgate-|mcp-|sec-|proxy-)/
const STYLES: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

/** True if a header must not be set by an argument. `own` are the headers that the config sets. */
function isForbiddenHeader(name: string, own: ReadonlySet<string>): boolean {
  const plain = name.toLowerCase()
  return FORBIDDEN.has(plain) || FORBIDDEN_PREFIX.test(plain) || own.has(plain)
}

interface Source {
  readonly root: Json
  readonly item: Json
  readonly operation: Json
  /** The names of headers that the config sets, in lower case. */
  readonly ownHeaders: ReadonlySet<string>
  /** The address of the API. No argument sets a member of its query. */
  readonly baseUrl: URL
}

/**
 * Reads the parameters of an operation. A parameter of the operation itself replaces one of its path that has the same
 * name and place. Headers and members of the query that the gateway or the config sets are left out.
 */
export function readParameters(source: Source, converter: SchemaConverter): readonly DescribedParameter[] {
  const { root, item, operation, ownHeaders, baseUrl } = source
  const found = new Map<string, Json>()
  const all = [...asObjects(item.parameters), ...asObjects(operation.parameters)]
  if (all.length > MOST_PARAMETERS) throw new UnusablePart(`it has more than ${MOST_PARAMETERS} parameters`)
  converter.work.spend(1 + all.length)
  for (const written of all) {
    const parameter = follow(root, written)
    found.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter)
  }
  const fixed = new Set([...baseUrl.searchParams.keys()].map(plainMember))
  const usable = [...found.values()].filter(({ in: place, name }) => {
    if (typeof name !== 'string' || typeof place !== 'string' || !Object.hasOwn(STYLES, place))
      throw new UnusablePart(`a parameter has no name, or is in ${JSON.stringify(place)}`)
    if (place === 'cookie' && (ownHeaders.has('cookie') || !isHeaderName(name))) return false
    if (place === 'query' && (changesMethod(name) || fixed.has(plainMember(name)))) return false
    return place !== 'header' || !isForbiddenHeader(name, ownHeaders)
  })
  const names = nameArguments(usable)
  return usable.map((parameter, at) => describe(parameter, names[at] ?? '', converter))
}

const MOST_PARAMETERS = 500

/** Letters, digits and a few signs, because several model providers accept no other argument names. */
const PLAIN = 64

function plainName(name: string): string {
  return (
    name
      .replaceAll(/[^\w.-]+/g, '_')
      .replaceAll(/^_+(?=.)|(?<=.)_+$/g, '')
      .slice(0, PLAIN) || '_'
  )
}

/** Gives each parameter a name of its own. Parameters that share a name, or are called `body`, get their place as a prefix. */
function nameArguments(parameters: readonly Json[]): readonly string[] {
  const plain = parameters.map(({ name }) => plainName(String(name)))
  const counts = new Map<string, number>()
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1)
  const taken = new Set<string>([BODY])
  return parameters.map((parameter, at) => {
    const own = plain[at] ?? ''
    const isShared = own === BODY || (counts.get(own) ?? 0) > 1
    const wanted = isShared ? `${String(parameter.in)}_${own}` : own
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
    taken.add(name)
    return name
  })
}

function describe(written: Json, argument: string, converter: SchemaConverter): DescribedParameter {
  const place = written.in as Place
  const name = String(written.name)
  const [media] = Object.values(asObject(written.content)).map(asObject)
  const style = media === undefined ? readStyle(written.style, place) : 'json'
  const { explode = style === 'form' || style === 'deepObject' } = written
  const schema = converter.convert(written.schema ?? media?.schema ?? {})
  const description = asText(written.description)
  return {
    parameter: {
      argument,
      name,
      place,
      style,
      explode: explode === true,
      isLong: written['x-multi-segment'] === true || (place === 'path' && written.allowReserved === true),
      isReserved: written.allowReserved === true,
    },
    schema: description === undefined ? schema : { ...schema, description: description.slice(0, 1000) },
    isRequired: written.required === true || place === 'path',
  }
}

function readStyle(written: unknown, place: Place): Style {
  const known = STYLES[place]
  const [usual = 'simple'] = known
  if (written === undefined) return usual
  const style = known.find(one => one === written)
  if (style === undefined)
    throw new UnusablePart(`the style ${JSON.stringify(written)} is not defined for a ${place}`)
  return style
}
