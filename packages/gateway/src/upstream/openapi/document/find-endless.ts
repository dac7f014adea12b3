import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { follow } from './follow.ts'

const MOST_DEPTH = 60

/** True if every value of a schema would have to contain another value of that schema. Then no finite value exists. */
export function isEndless(root: Json, schema: unknown): boolean {
  return needsItself(root, schema, [])
}

function needsItself(root: Json, schema: unknown, within: readonly unknown[]): boolean {
  if (!isJsonObject(schema) || within.length > MOST_DEPTH) return false
  const found = follow(root, schema)
  if (within.includes(found)) return true
  const path = [...within, found]
  const { allOf, oneOf, anyOf, properties, required } = found
  const needs = (part: unknown): boolean => needsItself(root, part, path)
  if (Array.isArray(allOf) && allOf.some(needs)) return true
  if ([oneOf, anyOf].some(list => Array.isArray(list) && list.length > 0 && list.every(needs))) return true
  if (!isJsonObject(properties) || !Array.isArray(required)) return false
  return required.some(name => {
    const member = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined
    const { type, nullable, readOnly } = isJsonObject(member) ? member : {}
    const isFree = nullable === true || readOnly === true || (Array.isArray(type) && type.includes('null'))
    return !isFree && needs(member)
  })
}
