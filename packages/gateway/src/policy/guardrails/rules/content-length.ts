import { z } from 'zod'
import { exactDigits, writeJson } from '../../../protocol/parse-json.ts'
import { defineRule, fieldParams, NEEDS_FIELD, readFields } from '../values/rule.ts'

/** How long a text may be, in characters; anything else by the length of its JSON. */
export const contentLength = defineRule({
  name: 'content_length',
  needs: [NEEDS_FIELD, ['max', 'min']],
  params: {
    ...fieldParams,
    max: z.int().min(0).optional(),
    min: z.int().min(0).optional(),
  },
  compile: params => {
    const fields = readFields(params, [])
    const { max = Number.POSITIVE_INFINITY, min = 0 } = params
    return reading => {
      for (const { path, value: kept } of reading.values(fields)) {
        const value = exactDigits(kept) ?? kept
        if (typeof value === 'string' && value.length <= max && value.length >= 2 * min) continue
        const length = lengthOf(value)
        // Afterwards: only now it is known. What is written once is no longer than what came.
        if (!reading.spend(length)) return undefined
        if (length > max) return { field: path, text: `is longer than ${max} characters` }
        if (length < min) return { field: path, text: `is shorter than ${min} characters` }
      }
      return undefined
    }
  },
})

function lengthOf(value: unknown): number {
  if (typeof value !== 'string') return value === undefined ? 0 : writeJson(value).length
  let length = value.length
  // What lies beyond the basic plane takes two units and is one character; who is within the limits either way is not counted.
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at)
    if (code >= 0xd800 && code < 0xdc00) length -= 1
  }
  return length
}
