import type { Complaint } from '../../base/errors/problem.ts'
import { NAME_PATTERN } from './schema.ts'

const NAME = new RegExp(NAME_PATTERN)

/**
 * Names are keys, which no schema compares with each other; and a bad name must not hide what is wrong
 * inside.
 */
export function checkNames(value: unknown): Complaint[] {
  return [
    ...keysOf(value, 'mcpServers').flatMap((name, index, names) =>
      checkServerName(name, names.slice(0, index)),
    ),
    ...keysOf(value, 'agent_tokens').flatMap(checkTokenName),
  ]
}

const PATTERN_FIX =
  'use 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit'

function checkServerName(name: string, before: readonly string[]): Complaint[] {
  const complain = (message: string, fix: string) => [
    { path: ['mcpServers', name], aboutKey: true, message, fix },
  ]
  if (!NAME.test(name)) return complain('not a possible name of a server', PATTERN_FIX)
  if (name.includes('__'))
    return complain('a name must not contain "__", which separates server and tool', 'use one underscore')
  const twin = before.find(other => other.toLowerCase() === name.toLowerCase())
  return twin === undefined ? [] : complain(`differs from "${twin}" only in case`, 'give it another name')
}

function checkTokenName(name: string): Complaint[] {
  if (NAME.test(name)) return []
  const message = 'not a possible name of an agent'
  return [{ path: ['agent_tokens', name], aboutKey: true, message, fix: PATTERN_FIX }]
}

function keysOf(value: unknown, key: 'mcpServers' | 'agent_tokens'): string[] {
  const block = (value as Partial<Record<string, unknown>> | null | undefined)?.[key]
  return typeof block === 'object' && block !== null && !Array.isArray(block) ? Object.keys(block) : []
}
