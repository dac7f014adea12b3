import { showUntrusted } from '@hintgate/metadata'
import { showPath } from '../arguments/describe-finding.ts'
import type { Step } from '../arguments/run.ts'
import { foldKey } from '../protocol/field-path.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { type ArgumentCheck, type ArgumentProblem, MAX_SCHEMA } from './compile-schema.ts'
import { cutJson } from './cut-json.ts'
import { type Place, SchemaOutline } from './outline-schema.ts'

type Path = readonly Step[]

/**
 * Objects to arguments that differ from one of the tool's by case alone, at any depth. Some servers read `Path` for
 * `path`, and of both the last: what was said of `path`, by a policy or by the schema, would not have been said of what
 * is done.
 */
export function objectToLookAlikes(inputSchema: unknown): ArgumentCheck {
  if (!isJsonObject(inputSchema)) return () => undefined
  const outline = new SchemaOutline(inputSchema, foldKey)
  return (args, onUnchecked) => {
    const whole = outline.begin()
    const found = whole && findLookAlike(args, whole, [])
    if (found === undefined && outline.isSpent) onUnchecked?.()
    return found
  }
}

function findLookAlike(value: unknown, place: Place, path: Path): ArgumentProblem | undefined {
  if (Array.isArray(value)) return findInList(value, place, path)
  if (!isJsonObject(value)) return undefined
  for (const key in value) {
    if (place.isSpent) return undefined
    const meant = place.has(key) ? undefined : place.resembling(key)
    if (meant !== undefined) return object(meant, place, [...path, key])
    const part = value[key]
    if (typeof part !== 'object' || part === null) continue
    const inside = place.at(key)
    const found = inside && findLookAlike(part, inside, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

function findInList(list: readonly unknown[], place: Place, path: Path): ArgumentProblem | undefined {
  // Where nobody says what its items are, a server may take them for the thing itself.
  const inside = place.inList() ?? place
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue
    const found = findLookAlike(item, inside, [...path, index])
    if (found !== undefined) return found
  }
  return undefined
}

function object(meant: string, place: Place, path: Path): ArgumentProblem {
  const expected = `the spelling "${showUntrusted(meant, 64)}"`
  const schema = cutJson(place.schemaOf(meant), MAX_SCHEMA)
  return { field: showPath(path), expected, schema, problems: 1 }
}
