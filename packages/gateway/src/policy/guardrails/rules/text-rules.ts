import { foldLookAlikes, toCompatible } from '@hintgate/metadata'
import { z } from 'zod'
import { isAlphanumeric } from '../../../detect/text/characters.ts'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { exactDigits, writeJson } from '../../../protocol/parse-json.ts'
import { defineFieldRule, defineRule, fieldParams, listOf, readFields, someText } from '../values/rule.ts'

/** Searching one character of a text for this many keywords costs one unit of effort. */
const AT_A_TIME = 16

const LETTER = /[\p{L}\p{N}]/u

/**
 * A guardrail that blocks texts with one of the keywords. Look-alike letters and invisible characters are folded first,
 * so that they cannot evade the rule.
 */
export const keywordBlock = defineFieldRule({
  name: 'keyword_block',
  readsTexts: true,
  fields: EVERYTHING,
  looksAt: 'linked leaves',
  params: { keywords: listOf(someText), match: z.enum(['word', 'anywhere']).default('word') },
  compile: params => {
    const keywords = params.keywords.map(simplify).filter(keyword => keyword !== '')
    const isWhole = params.match === 'word'
    return reading =>
      ({ value }) => {
        const text = typeof value === 'string' ? squeeze(reading.fold(value)) : String(value)
        const mayLook = reading.spend((text.length * keywords.length) / AT_A_TIME)
        const isHit = mayLook && keywords.some(keyword => contains(text, keyword, isWhole))
        return isHit ? 'contains a blocked keyword' : undefined
      }
  },
})

function simplify(text: string): string {
  return squeeze(foldLookAlikes(text)).trim()
}

/** Reduces each run of blanks to one space. Single spaces are not replaced, because each replacement takes time. */
function squeeze(text: string): string {
  return ODD_BLANK.test(text) ? text.replaceAll(ODD_BLANKS, ' ') : text
}

const ODD_BLANK = /\s\s|[^\S ]/
const ODD_BLANKS = /\s\s+|[^\S ]/g

function contains(text: string, keyword: string, isWhole: boolean): boolean {
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + 1)) {
    if (!isWhole || (!isLetter(text[at - 1]) && !isLetter(text[at + keyword.length]))) return true
  }
  return false
}

function isLetter(character: string | undefined): boolean {
  if (character === undefined) return false
  const code = character.charCodeAt(0)
  return code < 128 ? isAlphanumeric(code) : LETTER.test(character)
}

/** A guardrail that limits the length of a text in characters. Other values are measured as JSON. */
export const contentLength = defineFieldRule({
  name: 'content_length',
  looksAt: 'values',
  needs: [['max', 'min']],
  params: { max: z.int().min(0).optional(), min: z.int().min(0).optional() },
  compile:
    ({ max = Number.POSITIVE_INFINITY, min = 0 }) =>
    reading =>
    ({ value: kept }) => {
      const value = exactDigits(kept) ?? kept
      if (typeof value === 'string' && value.length <= max && value.length >= 2 * min) return undefined
      const length = lengthOf(value)
      // The effort is spent only now, because the length was not known before. The JSON is no longer than the request.
      if (!reading.spend(length)) return undefined
      if (length > max) return `is longer than ${max} characters`
      return length < min ? `is shorter than ${min} characters` : undefined
    },
})

function lengthOf(value: unknown): number {
  if (typeof value !== 'string') return value === undefined ? 0 : writeJson(value).length
  let length = value.length
  // Each surrogate pair counts as one character.
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at)
    if (code >= 0xd800 && code < 0xdc00) length -= 1
  }
  return length
}

const DOT = String.raw`(?:\.|%(?:25)*2e|%(?:25)*c0%(?:25)*ae|%(?:25)*u002e)`
/**
 * Matches what can follow a path segment that some programs cut off there: `.. /`, `..%00/`, and on Java servers also
 * `..;x/`.
 */
const CUT_OFF = String.raw`(?:[\s\p{Cc}\p{Cf}]|%(?:25)*[01][0-9a-f]|%(?:25)*20)*(?:;|%(?:25)*3b|[/\\?#]|$)`
/**
 * Matches `..` as a path segment, escaped any number of times. A path with such a segment can lead out of the required
 * prefix.
 */
const CLIMBS = new RegExp(String.raw`(?:^|[/\\])${DOT}{2}${CUT_OFF}|%(?:25)*(?:2f|5c)|\0`, 'iu')

/** URL parsers drop tabs and line breaks, and some drop other control characters. Therefore `.<TAB>./` means `../`. */
const DROPPED = /\p{Cc}+|%(?:25)*[01][0-9a-f]/giu

/**
 * A guardrail that requires fields to start exactly with one of the prefixes. A missing field is a violation as well,
 * because the server's default is unknown.
 */
export const requirePrefix = defineRule({
  name: 'require_prefix',
  needs: [
    ['field', 'fields'],
    ['prefix', 'prefixes'],
  ],
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
        return { field: fields[0]?.source ?? '', text: 'is missing; it must start with a required prefix' }
      for (const { path, value } of leaves) {
        if (typeof value !== 'string' || !prefixes.some(prefix => value.startsWith(prefix)))
          return { field: path, text: 'does not start with a required prefix' }
        const bare = value.replaceAll(DROPPED, '')
        if (isPath && [value, bare, toCompatible(bare), reading.plain(bare)].some(path => CLIMBS.test(path)))
          return { field: path, text: 'contains "..", which can lead out of the required prefix' }
      }
      return undefined
    }
  },
})

const EVERYONE =
  /(?<![a-z0-9.])@ ?(?:everyone|here|channel|all|team|group|room)(?![\w.-]*@[a-z0-9]|_*[a-z0-9])|<!(?:everyone|here|channel|subteam)\b/
const MENTION = /(?<![\w.])@[\w-]{1,64}|<[@!][^<>]{1,64}>/g

/** A guardrail that blocks mentions of a whole channel, or of too many people. */
export const blockMassMentions = defineFieldRule({
  name: 'block_mass_mentions',
  fields: EVERYTHING,
  looksAt: 'texts',
  params: { max: z.int().min(0).default(20) },
  compile:
    ({ max }) =>
    reading =>
    ({ value }) => {
      if (!/[@＠﹫<]/.test(value)) return undefined
      const text = reading.fold(value)
      if (EVERYONE.test(text)) return 'mentions everyone'
      return (text.match(MENTION)?.length ?? 0) > max ? `mentions more than ${max} people` : undefined
    },
})
