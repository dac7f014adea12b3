import { showUntrusted } from '@hintgate/metadata'
import { showPath } from '../arguments/describe-finding.ts'
import type { Step } from '../arguments/run.ts'
import { foldKey } from '../protocol/field-path.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { type ArgumentCheck, type ArgumentProblem, MAX_SCHEMA } from './compile-schema.ts'
import { cutJson } from './cut-json.ts'
import { type SchemaLocation, SchemaOutline } from './outline-schema.ts'

type Path = readonly Step[]

/**
 * Rejects arguments whose names, at any depth, differ from declared names only in case. Some servers read `Path` as
 * `path`, and if a call has both, the last one wins: the policy and the schema would check `path`, but the server would
 * use `Path`.
 */
export function rejectLookAlikes(inputSchema: unknown): ArgumentCheck {
  if (!isJsonObject(inputSchema)) return () => undefined
  const outline = new SchemaOutline(inputSchema, foldKey)
  return (args, onUnchecked) => {
    const whole = outline.begin()
    const found = whole && findLookAlike(args, whole, [])
    if (found === undefined && outline.isExceeded) onUnchecked?.()
    return found
  }
}

function findLookAlike(value: unknown, location: SchemaLocation, path: Path): ArgumentProblem | undefined {
  if (Array.isArray(value)) return findInList(value, location, path)
  if (!isJsonObject(value)) return undefined
  for (const key in value) {
    if (location.isExceeded) return undefined
    const meant = location.has(key) ? undefined : location.resembling(key)
    if (meant !== undefined) return reject(meant, location, [...path, key])
    const part = value[key]
    if (typeof part !== 'object' || part === null) continue
    const inside = location.at(key)
    const found = inside && findLookAlike(part, inside, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

function findInList(
  list: readonly unknown[],
  location: SchemaLocation,
  path: Path,
): ArgumentProblem | undefined {
  // If the schema does not describe the items, a server might read each item like the value itself.
  const inside = location.inList() ?? location
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue
    const found = findLookAlike(item, inside, [...path, index])
    if (found !== undefined) return found
  }
  return undefined
}

function reject(meant: string, location: SchemaLocation, path: Path): ArgumentProblem {
  const expected = `the spelling "${showUntrusted(meant, 64)}"`
  const schema = cutJson(location.schemaOf(meant), MAX_SCHEMA)
  return { field: showPath(path), expected, schema, problems: 1 }
}
