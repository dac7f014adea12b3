import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { DocumentError } from './document-error.ts'

/** Keys of configs of gateways and MCP clients. They hold credentials, and no part of an OpenAPI document has them. */
const OF_CONFIGS = ['mcpServers', 'mcp_servers', 'context_servers', 'agent_tokens', 'toolsets']
/** Names of files that hold credentials, and of the gateway's own files. */
const PRIVATE = /^(?:hintgate|credentials?|secrets?|tokens?|service-?account)\b|\.(?:env|pem|key|db|sqlite)$/i

/**
 * Refuses a file that a document refers to but that is no part of one: a hidden file, a config or a file of credentials.
 * Otherwise, a document from a stranger could show what is in it as the text of a tool. `place` is the path from the
 * document's folder.
 */
export function checkPlace(folder: string, place: string): void {
  const isHidden = place.split(/[/\\]/).some(step => step.startsWith('.'))
  if (isHidden || PRIVATE.test(basename(place)) || isInHome(folder, place))
    throw new DocumentError(`it refers to ${place}, ${NO_PART}`)
}

/** True for a file in a home folder of a gateway, which its secret key tells. */
function isInHome(folder: string, place: string): boolean {
  const within = dirname(place)
  if (existsSync(join(folder, within, 'secret.key'))) return true
  return within !== '.' && isInHome(folder, within)
}

export function checkContent(value: unknown, name: string): void {
  if (isJsonObject(value) && OF_CONFIGS.some(key => Object.hasOwn(value, key)))
    throw new DocumentError(`it refers to ${name}, ${NO_PART}`)
}

const NO_PART = 'which can contain credentials; move what the document needs to a file of its own'

/** Keys whose values are data, in which nothing is a reference to another file. */
const DATA = new Set(['default', 'const', 'enum'])
/** Keys whose values have names as keys, which mean nothing by themselves. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'schemas',
  'responses',
  'parameters',
])

/**
 * Returns every reference in a file, as it is written. Refuses one that leads from data to another file, because data
 * is shown to agents as it is.
 */
export function listReferences(file: unknown, name: string): ReadonlySet<string> {
  const found = new Set<string>()
  const open: Place[] = [{ value: file, isData: false, isNamed: false }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, isData, isNamed } = place
    if (typeof value !== 'object' || value === null) continue
    const { $ref } = value as Json
    if (typeof $ref === 'string') {
      if (isData && !$ref.startsWith('#'))
        throw new DocumentError(`${name} has a reference to ${$ref} in data; write the value itself`)
      found.add($ref)
    }
    for (const [key, part] of Object.entries(value))
      open.push({
        value: part,
        isData: isData || (!isNamed && !Array.isArray(value) && (DATA.has(key) || key.startsWith('x-'))),
        isNamed: !isNamed && NAMED.has(key),
      })
  }
  return found
}

interface Place {
  readonly value: unknown
  readonly isData: boolean
  /** True if the keys of the value are names. */
  readonly isNamed: boolean
}
