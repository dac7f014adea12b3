import type { StandardSchemaV1 } from '@modelcontextprotocol/client'
import { isJsonObject, type Json } from '../json.ts'

function schema<T>(read: (value: unknown) => T | string): StandardSchemaV1<unknown, T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'hintgate',
      validate: value => {
        const found = read(value)
        return typeof found === 'string' ? { issues: [{ message: found }] } : { value: found }
      },
    },
  }
}

/** A list of tools with every field that the server sent; the SDK's own schema drops those that it does not know. */
export const TOOLS_AS_SENT = schema<Json>(value => {
  if (!isJsonObject(value) || !Array.isArray(value.tools)) return 'there is no list of tools'
  const isNamed = value.tools.every(tool => isJsonObject(tool) && typeof tool.name === 'string')
  return isNamed ? value : 'a tool without a name'
})

/** The result of a call with every block and field that the server sent. */
export const RESULT_AS_SENT = schema<Json>(value => {
  if (!isJsonObject(value)) return 'the result is no object'
  return value.content === undefined || Array.isArray(value.content) ? value : '`content` is no list'
})
