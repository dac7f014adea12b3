import { resolveEffective } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { expandTemplate } from './expand-template.ts'
import type { ThingKind, ToolFacts } from './facts.ts'

/** A resource or a prompt that a request is for. A resource's name is its URI. */
export interface Thing {
  readonly kind: Exclude<ThingKind, 'tool'>
  readonly name: string
}

/**
 * Returns the resources and prompts that a request is for. A list is for none, because it returns only names, like a
 * list of tools.
 */
export function thingsOf(method: string, params: Json | undefined): readonly Thing[] {
  switch (method) {
    case 'resources/read':
    case 'resources/subscribe':
      return asThings('resource', [params?.uri])
    case 'subscriptions/listen':
      return asThings('resource', watchedIn(params))
    case 'prompts/get':
      return asThings('prompt', [params?.name])
    case 'completion/complete':
      return thingsOfReference(params?.ref, valuesOf(params ?? {}))
    default:
      return []
  }
}

function watchedIn(params: Json | undefined): readonly unknown[] {
  const { resourceSubscriptions: uris }: Json = isJsonObject(params?.notifications)
    ? params.notifications
    : {}
  return Array.isArray(uris) ? uris : []
}

/**
 * A server can look at the type of a reference or at its members, so everything that the reference names counts. The
 * answer shows what begins with the values so far, so a template also counts with these values.
 */
function thingsOfReference(ref: unknown, values: ReadonlyMap<string, string>): readonly Thing[] {
  if (!isJsonObject(ref)) return []
  const { name, uri } = ref
  const uris = typeof uri === 'string' ? new Set([uri, expandTemplate(uri, values)]) : []
  return [...asThings('prompt', [name]), ...asThings('resource', [...uris])]
}

/** Returns the values that a completion gives for the variables of a template. */
function valuesOf({ argument, context }: Json): ReadonlyMap<string, string> {
  const others = isJsonObject(context) && isJsonObject(context.arguments) ? context.arguments : {}
  const { name, value }: Json = isJsonObject(argument) ? argument : {}
  const given = [...Object.entries(others), ...(typeof name === 'string' ? [[name, value] as const] : [])]
  return new Map(given.flatMap(([key, one]) => (typeof one === 'string' ? [[key, one] as const] : [])))
}

function asThings(kind: Thing['kind'], names: readonly unknown[]): readonly Thing[] {
  return names.filter(name => typeof name === 'string').map(name => ({ kind, name }))
}

const A_READ = resolveEffective({ declared: { hints: { readOnly: true } }, vouched: true })

/** Describes a resource or a prompt to the policy, which judges it as a tool that only reads. */
export function factsOfThing(
  { kind, name }: Thing,
  effective: Pick<ToolFacts['effective'], 'sensitive' | 'openWorld'> = A_READ,
): ToolFacts {
  return {
    kind,
    name,
    title: name,
    variant: 'call_tool_read',
    category: 'read',
    riskLevel: 1,
    fingerprint: '',
    effective: { ...A_READ, sensitive: effective.sensitive, openWorld: effective.openWorld },
    consequence: { kinds: [], targets: [] },
  }
}

/**
 * Returns the ways to write a URI that a server could take for the same resource: as it is, normalised, decoded, and
 * without a query, a fragment, dot segments or repeated slashes. A policy judges each of them, and the strictest
 * verdict counts, so another way to write a forbidden URI does not get past a rule.
 *
 * @example
 * spellingsOf('file:///a/../etc/%70asswd') // includes 'file:///etc/passwd'
 */
export function spellingsOf({ kind, name }: Thing): readonly string[] {
  if (kind !== 'resource') return [name]
  const found = new Set([name])
  // Each step can make another one possible, such as an encoded `..`, also one that is encoded twice.
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = found.size
    for (const change of CHANGES) for (const one of [...found]) found.add(change(one))
    if (found.size === before) break
  }
  return [...found]
}

const ROUNDS = 3
const CHANGES = [decode, withoutEnd, withPlainSlashes, withoutDots, normalise]

/** Decodes each run of encoded bytes by itself, so that a wrong one elsewhere does not keep the others encoded. */
function decode(uri: string): string {
  return uri.replaceAll(/(?:%[\da-f]{2})+/gi, run => {
    const bytes = run.slice(1).split('%')
    return TEXT.decode(Uint8Array.from(bytes, byte => Number.parseInt(byte, 16)))
  })
}

/** Like many servers, it replaces bytes that are no UTF-8 instead of failing. */
const TEXT = new TextDecoder('utf-8', { ignoreBOM: true })

/** Many servers ignore a query and a fragment, and some stop at a null character. */
function withoutEnd(uri: string): string {
  // oxlint-disable-next-line no-control-regex -- the pattern matches a control character
  return uri.replace(/[?#\u0000].*$/s, '')
}

/** For most servers, `book:/one` has the same path as `book:///one`. Only the first `://` is not a part of the path. */
function withPlainSlashes(uri: string): string {
  const plain = uri.replaceAll('\\', '/').replace(/^([a-z][a-z\d+.-]*:)\/(?!\/)/i, '$1///')
  return changePath(plain, path => path.replaceAll(/\/{2,}/g, '/'))
}

/** Unlike normalising, this also treats a query, a fragment and a host as parts of the path. */
function withoutDots(uri: string): string {
  return changePath(uri, path => {
    const kept: string[] = []
    for (const part of path.split('/'))
      if (part === '..') kept.splice(Math.max(kept.length - 1, path.startsWith('/') ? 1 : 0))
      else if (part !== '.') kept.push(part)
    return kept.join('/')
  })
}

function changePath(uri: string, change: (path: string) => string): string {
  const start = uri.indexOf('://') + 3
  return start < 3 ? uri : uri.slice(0, start) + change(uri.slice(start))
}

function normalise(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri
}
