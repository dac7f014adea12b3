import type { Node } from 'jsonc-parser'
import { type Path, showPath } from '../base/errors/problem.ts'
import { partsOf, positionAt, readDocument } from '../config/read-document.ts'
import { splitSecrets, type ValueLocation } from '../detect/secrets/split-secrets.ts'
import type { DoctorFinding } from './finding.ts'

interface ConfigText {
  readonly file: string
  readonly text: string
  readonly isReadByOthers: boolean
}

interface Leaf {
  readonly path: Path
  readonly text: string
  readonly offset: number
  /** The preceding string in the same list, if there is one. */
  readonly before?: string | undefined
}

/** Reports secrets in the config without quoting their values. */
export function checkSecrets({ file, text, isReadByOthers }: ConfigText): readonly DoctorFinding[] {
  const { root } = readDocument(text)
  if (root === undefined) return []
  return listLeaves(root, [])
    .filter(isPlainSecret)
    .map(({ path, offset }) => {
      const { line, column } = positionAt(text, offset)
      const [section, server] = path
      return {
        code: 'secret_in_config',
        // A secret in a file that only this user can read is tolerable, as long as the file is not shared.
        level: isReadByOthers ? 'warning' : 'info',
        ...(section === 'mcpServers' && { server: String(server) }),
        text: `${file}:${line}:${column}: ${showPath(path)} looks like a secret in plain text${isReadByOthers ? ', and other users can read the file' : ''}`,
        fix: `replace it with "\${env:${variableFor(path)}}" and set that variable, or with "\${file:PATH}" and put the secret in a file of mode 600`,
      }
    })
}

function listLeaves(node: Node, path: Path): readonly Leaf[] {
  if (node.type === 'object')
    return (node.children ?? []).flatMap(property => {
      const parts = partsOf(property)
      return parts === undefined ? [] : listLeaves(parts.value, [...path, parts.name])
    })
  if (node.type === 'array')
    return (node.children ?? []).flatMap((item, index, all) => {
      const before: unknown = all[index - 1]?.value
      const leaves = listLeaves(item, [...path, index])
      return typeof before === 'string' ? leaves.map(leaf => ({ before, ...leaf })) : leaves
    })
  return node.type === 'string' ? [{ path, text: String(node.value), offset: node.offset }] : []
}

const REFERENCE = /\$\{(?:env|file):/
const ALWAYS_SECRET = new Set<string | number | undefined>(['token', 'clientSecret'])
const SECRET_OF_CHANNEL = new Set<string | number | undefined>([
  'token',
  'secret',
  'signingSecret',
  'password',
])

function isPlainSecret({ path, text, before }: Leaf): boolean {
  if (text === '' || REFERENCE.test(text)) return false
  if (ALWAYS_SECRET.has(path.at(-1)) && (path[0] === 'agent_tokens' || path.includes('oauth'))) return true
  if (path[2] === 'auth' && (path.at(-1) === 'value' || path.at(-1) === 'clientSecret')) return true
  if (path[0] === 'notify' && SECRET_OF_CHANNEL.has(path.at(-1))) return true
  const standing = standingOf(path, before)
  return splitSecrets(text, standing).some(({ isSecret }) => isSecret)
}

function standingOf(path: Path, before: string | undefined): ValueLocation {
  const [section, second, third] = path
  const part =
    section === 'mcpServers'
      ? third
      : section === 'telemetry'
        ? second
        : section === 'notify'
          ? third
          : section
  // Most headers are not secrets, so headers are judged by name and value, like environment variables.
  if (part === 'env' || part === 'headers') return { in: 'env', key: String(path.at(-1)) }
  if (part === 'args') return { in: 'args', before }
  return /^(?:url|serverUrl|httpUrl|store)$/.test(String(part)) ? { in: 'url' } : { in: 'other' }
}

/**
 * Suggests the name of an environment variable, such as `CRM_AUTHORIZATION` for `mcpServers.crm.headers.Authorization`.
 */
function variableFor(path: Path): string {
  const words = [path[0] === 'notify' ? 'notify' : path[1], path.at(-1)].filter(
    word => typeof word === 'string',
  )
  const name = [...new Set(words)].join('_').replaceAll(/\W+/g, '_').toUpperCase()
  return /^[A-Z_]/.test(name) ? name : `SECRET_${name}`.replace(/_$/, '')
}
