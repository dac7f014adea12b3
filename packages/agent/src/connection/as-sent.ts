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

/** Reads a list of tools with all the fields that the server sent. The SDK's schema would drop unknown fields. */
export const TOOLS_AS_SENT = schema<Json>(value => {
  if (!isJsonObject(value) || !Array.isArray(value.tools)) return 'the list of tools is missing'
  const isNamed = value.tools.every(tool => isJsonObject(tool) && typeof tool.name === 'string')
  return isNamed ? value : 'a tool has no name'
})

/** Reads the result of a call with all blocks and fields that the server sent. */
export const RESULT_AS_SENT = schema<Json>(value => {
  if (!isJsonObject(value)) return 'the result is not an object'
  return value.content === undefined || Array.isArray(value.content) ? value : '`content` is not an array'
})

/** Reads any result as the server sent it. */
export const JSON_AS_SENT = schema<Json>(value =>
  isJsonObject(value) ? value : 'the result is not an object',
)
