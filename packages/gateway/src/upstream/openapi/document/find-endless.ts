import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { follow } from './follow.ts'
import type { Work } from './work.ts'

/** What a value of a schema must contain: something of every group, each a list of alternatives. */
type Needs = readonly (readonly Json[])[]

/** True if every value of a schema would have to contain another value of that schema. Then no finite value exists. */
export function isEndless(root: Json, schema: unknown, work: Work): boolean {
  if (!isJsonObject(schema)) return false
  const start = follow(root, schema)
  if (!work.endless.has(start)) judge(collect(root, start, work), work)
  return work.endless.get(start) === true
}

/** Returns the schemas that values of a schema have to contain, directly or not, that are not judged yet. */
function collect(root: Json, start: Json, work: Work): ReadonlyMap<Json, Needs> {
  const found = new Map<Json, Needs>()
  const open = [start]
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (found.has(schema) || work.endless.has(schema)) continue
    const needs = needsOf(root, schema)
    found.set(schema, needs)
    for (const group of needs) {
      work.spend(1 + group.length)
      open.push(...group)
    }
  }
  return found
}

/** Marks as finite what needs only finite schemas, until nothing more can be marked. The rest is endless. */
function judge(found: ReadonlyMap<Json, Needs>, work: Work): void {
  let left = [...found].toReversed()
  for (let before = -1; before !== left.length; ) {
    before = left.length
    left = left.filter(([schema, needs]) => {
      work.spend(1 + needs.length)
      const ends = needs.every(group => group.some(one => work.endless.get(one) === false))
      if (ends) work.endless.set(schema, false)
      return !ends
    })
  }
  for (const [schema] of left) work.endless.set(schema, true)
}

function needsOf(root: Json, { allOf, oneOf, anyOf, properties, required }: Json): Needs {
  const all = Array.isArray(allOf) ? allOf.map(part => [part]) : []
  const either = [oneOf, anyOf].filter(list => Array.isArray(list) && list.length > 0) as unknown[][]
  const members = isJsonObject(properties) && Array.isArray(required) ? required : []
  const needed = members.flatMap(name => {
    const held = isJsonObject(properties) && typeof name === 'string' && Object.hasOwn(properties, name)
    return held && !isFree(properties[name]) ? [[properties[name]]] : []
  })
  return [...all, ...either, ...needed]
    .filter(group => group.every(isJsonObject))
    .map(group => group.map(part => follow(root, part)))
}

/** True for a member that can be without a value. */
function isFree(member: unknown): boolean {
  if (!isJsonObject(member)) return true
  const { type, nullable, readOnly } = member
  return nullable === true || readOnly === true || (Array.isArray(type) && type.includes('null'))
}
