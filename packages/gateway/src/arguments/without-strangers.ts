import { isJsonObject } from '../protocol/messages.ts'
import type { Finding, Step } from './finding.ts'

/** Stands for a name that only the value has. */
const STRANGER = '(not in the schema)'

/** Keywords that are about a name of the value. */
const NAMES_A_STRANGER = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames'])

/** A finding that says nothing but what the schema says itself: where, by names that it has, and what belongs there. */
export function withoutStrangers(finding: Finding, schema: unknown): Finding {
  const { keyword, path, detail, value } = finding
  const known = namesIn(schema)
  return {
    ...finding,
    path: path.map((step): Step => (typeof step === 'number' || known.has(step) ? step : STRANGER)),
    detail: NAMES_A_STRANGER.has(keyword) ? STRANGER : detail,
    // What is there in place of something that is missing has a name, too.
    value: keyword === 'required' ? undefined : value,
  }
}

/** All names that a schema has, whatever for: somebody has approved them. */
function namesIn(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const left: unknown[] = [schema]
  while (left.length > 0) {
    const part = left.pop()
    if (isJsonObject(part)) for (const name of Object.keys(part)) names.add(name)
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) left.push(inner)
  }
  return names
}
