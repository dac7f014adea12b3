import { resolveEffective } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
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
      return thingsOfReference(params?.ref)
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

/** A server can look at the type of a reference or at its members, so everything that the reference names counts. */
function thingsOfReference(ref: unknown): readonly Thing[] {
  if (!isJsonObject(ref)) return []
  return [...asThings('prompt', [ref.name]), ...asThings('resource', [ref.uri])]
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
 * without repeated slashes. A policy judges each of them, and the strictest verdict counts, so another way to write a
 * forbidden URI does not get past a rule.
 *
 * @example
 * spellingsOf('file:///a/../etc/%70asswd') // includes 'file:///etc/passwd'
 */
export function spellingsOf({ kind, name }: Thing): readonly string[] {
  if (kind !== 'resource') return [name]
  const found = new Set([name])
  // Each step can make the next one possible, such as an encoded `..`.
  for (const change of [decode, withoutRepeats, normalise])
    for (const one of [...found]) found.add(change(one))
  return [...found]
}

function decode(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

function withoutRepeats(uri: string): string {
  const [scheme = '', ...rest] = uri.replaceAll('\\', '/').split('://')
  return [scheme, ...rest.map(part => part.replaceAll(/\/{2,}/g, '/'))].join('://')
}

function normalise(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri
}
