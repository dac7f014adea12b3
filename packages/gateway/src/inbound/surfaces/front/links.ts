import { isJsonObject, type Json } from '../../../protocol/messages.ts'

/** Returns the address under which an endpoint shows a server's URI. */
export type ToAddress = (uri: string) => string

/**
 * Replaces the URIs of resources in a result by addresses at which the same client can read them: linked and embedded
 * resources of tools and prompts, and the contents of resources. Text stays as it is. Most results have no links and
 * stay the same object.
 */
export function withAddresses(result: Json, toAddress: ToAddress): Json {
  const changed = {
    ...changeList(result, 'content', block => addressBlock(block, toAddress)),
    ...changeList(result, 'contents', content => addressUri(content, toAddress)),
    ...changeList(result, 'messages', message => addressMessage(message, toAddress)),
  }
  return Object.keys(changed).length === 0 ? result : { ...result, ...changed }
}

/** Returns the changed list as a member to replace, or nothing if no item changed. */
function changeList(parent: Json, key: string, change: (item: unknown) => unknown): Json {
  const list = parent[key]
  if (!Array.isArray(list)) return {}
  const changed = list.map(change)
  return changed.some((item, at) => item !== list[at]) ? { [key]: changed } : {}
}

function addressMessage(message: unknown, toAddress: ToAddress): unknown {
  if (!isJsonObject(message)) return message
  const { content } = message
  const changed = Array.isArray(content)
    ? changeList(message, 'content', block => addressBlock(block, toAddress)).content
    : addressBlock(content, toAddress)
  return changed === undefined || changed === content ? message : { ...message, content: changed }
}

function addressBlock(block: unknown, toAddress: ToAddress): unknown {
  if (!isJsonObject(block)) return block
  if (block.type === 'resource_link') return addressUri(block, toAddress)
  if (block.type !== 'resource') return block
  const resource = addressUri(block.resource, toAddress)
  return resource === block.resource ? block : { ...block, resource }
}

function addressUri(holder: unknown, toAddress: ToAddress): unknown {
  if (!isJsonObject(holder) || typeof holder.uri !== 'string' || holder.uri === '') return holder
  return { ...holder, uri: toAddress(holder.uri) }
}
