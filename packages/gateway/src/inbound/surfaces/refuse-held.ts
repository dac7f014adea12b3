import { type Listed, listDefinitions } from '../../catalog/list-definitions.ts'
import { matchesTemplate } from '../../catalog/match-template.ts'
import type { OtherDefinitions } from '../../catalog/other-definitions.ts'
import { foldKey } from '../../protocol/field-path.ts'
import { isJsonObject, type Json, RPC } from '../../protocol/messages.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import type { OwnError } from './guard-request.ts'

interface QuestionResult {
  readonly method: string
  readonly params: Json | undefined
}

interface Source {
  readonly server: UpstreamServer
  readonly others: OtherDefinitions
}

const RESOURCES: Listed = { method: 'resources/list', member: 'resources', capability: 'resources' }

/**
 * Refuses a request for a definition that waits for review. The answer is the same as for a definition that does not
 * exist.
 */
export async function refuseHeld(
  { method, params }: QuestionResult,
  source: Source,
): Promise<OwnError | undefined> {
  if (hasLookAlike(params) || hasLookAlike(params?.ref))
    return invalid(
      "a key differs only in spelling from one of the protocol's keys; use the protocol's spelling",
    )
  switch (method) {
    case 'prompts/get':
      return refusePrompt(params?.name, source)
    case 'resources/read':
    case 'resources/subscribe':
      return refuseResources([params?.uri], source)
    case 'subscriptions/listen':
      return refuseResources(watchedIn(params), source)
    case 'completion/complete':
      return refuseReference(params?.ref, source)
    default:
      return undefined
  }
}

const NAMING = new Set(['name', 'uri', 'ref', 'type'])

/**
 * True if a key looks like another spelling of a protocol key. Some servers treat `Name` as `name`, and use whichever
 * comes last.
 */
function hasLookAlike(params: unknown): boolean {
  if (!isJsonObject(params)) return false
  return Object.keys(params).some(key => !NAMING.has(key) && key.length < 8 && NAMING.has(foldKey(key)))
}

/**
 * Refuses a prompt that is not approved. The name must be a string, because servers could interpret any other value in
 * their own way.
 */
async function refusePrompt(name: unknown, { server, others }: Source): Promise<OwnError | undefined> {
  if (typeof name !== 'string') return invalid('the request needs a `name`, which must be a string')
  if (await others.isApproved(server, 'prompt', name)) return undefined
  return invalid(`There is no prompt ${JSON.stringify(name)} that you can use.`)
}

/**
 * While a resource template waits for review, refuses all resources except listed ones and those of approved templates.
 * It is not enough that a URI does not match the template under review, because servers compare URIs in their own ways.
 */
async function refuseResources(
  uris: readonly unknown[],
  { server, others }: Source,
): Promise<OwnError | undefined> {
  if (!uris.every(uri => typeof uri === 'string'))
    return invalid('the request needs a `uri`, which must be a string')
  if (others.isOpen) return undefined
  const templates = await others.sortNames(server, 'template')
  if (templates === undefined || templates.held.length === 0) return undefined
  const { approved } = templates
  const unknown = uris.filter(uri => !approved.some(template => matchesTemplate(template, uri)))
  if (unknown.length === 0) return undefined
  const resources = ((await listDefinitions(server, RESOURCES)) ?? []).filter(isJsonObject)
  const listed = new Set(resources.map(({ uri }) => uri))
  const missing = unknown.find(uri => !listed.has(uri))
  return missing === undefined
    ? undefined
    : invalid(`There is no resource ${JSON.stringify(missing)} that you can use.`)
}

/** Returns the resources that a modern client wants to watch. */
function watchedIn(params: Json | undefined): readonly unknown[] {
  const { resourceSubscriptions: uris }: Json = isJsonObject(params?.notifications)
    ? params.notifications
    : {}
  return Array.isArray(uris) ? uris.filter(uri => typeof uri === 'string') : []
}

/** Checks a reference by its type and by its members, because some servers go by the type and others by the members. */
async function refuseReference(ref: unknown, source: Source): Promise<OwnError | undefined> {
  if (!isJsonObject(ref)) return invalid('a completion needs a `ref`')
  if (source.others.isOpen) return undefined
  const { type, name, uri } = ref
  if (type !== 'ref/prompt' && type !== 'ref/resource')
    return invalid('the type of a `ref` must be ref/prompt or ref/resource')
  const isNeeded = { name: type === 'ref/prompt', uri: type === 'ref/resource' }
  const refusal = name !== undefined || isNeeded.name ? await refusePrompt(name, source) : undefined
  if (refusal !== undefined) return refusal
  return uri !== undefined || isNeeded.uri ? refuseTemplate(uri, source) : undefined
}

async function refuseTemplate(uri: unknown, source: Source): Promise<OwnError | undefined> {
  if (typeof uri !== 'string') return invalid('the request needs a `uri`, which must be a string')
  const templates = await source.others.sortNames(source.server, 'template')
  if (templates?.approved.includes(uri)) return undefined
  return refuseResources([uri], source)
}

function invalid(message: string): OwnError {
  return { code: RPC.invalidParams, message }
}
