import { showUntrusted } from '@hintgate/metadata'
import { type ArgumentCheck, MAX_SCHEMA } from '../arguments/compile-schema.ts'
import { cutJson } from '../arguments/cut-json.ts'
import { showPath } from '../arguments/show-path.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { exactDigits } from '../protocol/parse-json.ts'
import { foldKey } from '../verdict/guardrails/field-path.ts'

/**
 * Objects to arguments that differ from one of the tool's by case alone. Some servers read `Path` for `path`, and of both
 * the last: what was said of `path`, by a policy or by the schema, would not have been said of what is done.
 */
export function objectToLookAlikes(inputSchema: unknown): ArgumentCheck {
  const { properties } = isJsonObject(inputSchema) ? inputSchema : {}
  if (!isJsonObject(properties)) return () => undefined
  const byFolded = new Map(Object.keys(properties).map(name => [foldKey(name), name]))
  return args => {
    if (!isJsonObject(args)) return undefined
    for (const key in args) {
      if (Object.hasOwn(properties, key)) continue
      const meant = byFolded.get(foldKey(key))
      if (meant === undefined) continue
      const expected = `the spelling "${showUntrusted(meant, 64)}"`
      const schema = cutJson(properties[meant], { limit: MAX_SCHEMA, digitsOf: exactDigits })
      return { field: showPath([key]), expected, schema, problems: 1 }
    }
    return undefined
  }
}
