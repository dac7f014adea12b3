import { toCompatible } from '@hintgate/metadata'
import { z } from 'zod'
import { defineRule, fieldParams, listOf, NEEDS_FIELD, readFields, someText } from '../values/rule.ts'

const DOT = String.raw`(?:\.|%(?:25)*2e|%(?:25)*c0%(?:25)*ae|%(?:25)*u002e)`
/** What a program may cut off behind a step, a server of Java from the semicolon on: `..;x/`, `.. /`, `..%00/`. */
const CUT_OFF = String.raw`(?:[\s\p{Cc}\p{Cf}]|%(?:25)*[01][0-9a-f]|%(?:25)*20)*(?:;|%(?:25)*3b|[/\\?#]|$)`
/** `..` as a step of a path, escaped once, twice or not, after which a prefix says nothing about where a path leads. */
const CLIMBS = new RegExp(String.raw`(?:^|[/\\])${DOT}{2}${CUT_OFF}|%(?:25)*(?:2f|5c)|\0`, 'iu')

/** Who reads a link drops tabs and line breaks wherever they stand, and some drop what else shows nothing: `.<TAB>./` climbs. */
const DROPPED = /\p{Cc}+|%(?:25)*[01][0-9a-f]/giu

/**
 * Texts that must begin in a certain way, compared exactly. A missing field is an objection too: the server's
 * default may begin with anything.
 */
export const requirePrefix = defineRule({
  name: 'require_prefix',
  needs: [NEEDS_FIELD, ['prefix', 'prefixes']],
  params: {
    ...fieldParams,
    prefix: someText.optional(),
    prefixes: listOf(someText).optional(),
    required: z.boolean().default(true),
  },
  compile: params => {
    const fields = readFields(params, [])
    const prefixes = [...(params.prefix === undefined ? [] : [params.prefix]), ...(params.prefixes ?? [])]
    const isPath = prefixes.some(prefix => /[/\\]/.test(prefix))
    return reading => {
      const leaves = reading.leaves(fields)
      if (leaves.length === 0 && params.required)
        return { field: fields[0]?.source ?? '', text: 'is missing, and must begin with a certain prefix' }
      for (const { path, value } of leaves) {
        if (typeof value !== 'string' || !prefixes.some(prefix => value.startsWith(prefix)))
          return { field: path, text: 'does not begin with a required prefix' }
        const bare = value.replaceAll(DROPPED, '')
        if (isPath && [value, bare, toCompatible(bare), reading.plain(bare)].some(path => CLIMBS.test(path)))
          return { field: path, text: 'climbs out of its prefix' }
      }
      return undefined
    }
  },
})
