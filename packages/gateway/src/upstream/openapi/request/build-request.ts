import { isHeaderValue } from '../../../http/client/write-request.ts'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { changesMethod, plainMember } from '../document/member-name.ts'
import { BODY, type Operation, type Parameter } from '../document/operation.ts'
import { encodeBody } from './encode-body.ts'
import { encode, UnusableArgument, writePath, writeQuery, writeSimple } from './serialise.ts'

/** A request to the API, without the headers that the config sets. */
export interface ApiRequest {
  readonly method: string
  /** Path and query. The origin never depends on arguments. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

/** Methods whose requests say how long their body is even if they have none. */
const WITH_LENGTH = new Set(['POST', 'PUT', 'PATCH'])

/** Builds the request for a call. Throws `UnusableArgument` for an argument that cannot be sent. */
export function buildRequest(operation: Operation, base: URL, args: Json): ApiRequest {
  const given = operation.parameters.filter(({ argument }) => isGiven(args[argument]))
  const at = (place: Parameter['place']) => given.filter(parameter => parameter.place === place)
  checkMembers(operation, base, args)
  const query = at('query').flatMap(parameter => writeQuery(parameter, args[parameter.argument]))
  const headers = writeHeaders(at('header'), args)
  const cookies = at('cookie').map(one => `${one.name}=${encode(writeSimple(one, args[one.argument]))}`)
  const body =
    operation.body !== undefined && args[BODY] !== undefined
      ? encodeBody(operation.body, args[BODY])
      : undefined
  return {
    method: operation.method,
    target: joinTarget(base, fillPath(operation, args), query),
    headers: {
      accept: operation.accept,
      'accept-encoding': 'identity',
      ...headers,
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...(body === undefined ? {} : { 'content-type': body.contentType }),
    },
    body: body?.bytes ?? (WITH_LENGTH.has(operation.method) ? '' : undefined),
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/**
 * Refuses members of an object that would be read as another argument, as a member of the config's address, or as another
 * method.
 */
function checkMembers({ parameters }: Operation, base: URL, args: Json): void {
  const inQuery = parameters.filter(({ place }) => place === 'query')
  const owners = new Map<string, string>([...base.searchParams.keys()].map(name => [plainMember(name), '']))
  for (const { name, argument } of inQuery) owners.set(plainMember(name), argument)
  for (const parameter of inQuery)
    for (const member of freeMembers(parameter, args[parameter.argument])) {
      const { argument } = parameter
      const owner = owners.get(plainMember(member)) ?? argument
      if (owner !== argument || changesMethod(member))
        throw new UnusableArgument(argument, `must not have the member ${member}, which means something else`)
      owners.set(plainMember(member), argument)
    }
}

/** Returns the names in the query that a value chooses, as an object that is written as members of their own does. */
function freeMembers({ style, explode }: Parameter, value: unknown): readonly string[] {
  const isSpread = explode && style !== 'json' && style !== 'deepObject'
  return isSpread && isJsonObject(value) ? Object.keys(value) : []
}

function fillPath({ path, parameters }: Operation, args: Json): string {
  const places = new Map(parameters.filter(({ place }) => place === 'path').map(one => [one.name, one]))
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = places.get(name)
    const value = parameter === undefined ? undefined : args[parameter.argument]
    if (parameter === undefined || !isGiven(value))
      throw new UnusableArgument(parameter?.argument ?? name, 'is missing')
    return writePath(parameter, value)
  })
}

/**
 * Puts the target together, and checks that a URL parser reads it as it was written: no value may lead to another path
 * or origin.
 */
function joinTarget(base: URL, path: string, query: readonly string[]): string {
  const pathname = `${base.pathname.replace(/\/$/, '')}${path}`
  const search = [base.search.slice(1), ...query].filter(part => part !== '').join('&')
  const target = search === '' ? pathname : `${pathname}?${search}`
  const read = new URL(`${base.origin}${target}`)
  const isSame = read.origin === base.origin && read.pathname === pathname && read.hash === ''
  if (!isSame) throw new UnusableArgument('of the path', 'would change the path')
  return target
}

function writeHeaders(parameters: readonly Parameter[], args: Json): Record<string, string> {
  return Object.fromEntries(
    parameters.map(parameter => {
      const value = writeSimple(parameter, args[parameter.argument])
      if (!isHeaderValue(value))
        throw new UnusableArgument(parameter.argument, 'contains a character that no header can have')
      return [parameter.name.toLowerCase(), value]
    }),
  )
}
