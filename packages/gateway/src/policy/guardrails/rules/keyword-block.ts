import { foldLookAlikes } from '@hintgate/metadata'
import { z } from 'zod'
import { isAlphanumeric } from '../../../detect/text/characters.ts'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { defineRule, fieldParams, listOf, readFields, someText } from '../values/rule.ts'

/** So many keywords are looked for in the time that a character takes. */
const AT_A_TIME = 16

const LETTER = /[\p{L}\p{N}]/u

/** Words that must not occur. Compared as the eye reads them, so other alphabets and invisible marks are no way around. */
export const keywordBlock = defineRule({
  name: 'keyword_block',
  readsTexts: true,
  params: {
    ...fieldParams,
    keywords: listOf(someText),
    match: z.enum(['word', 'anywhere']).default('word'),
  },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    const keywords = params.keywords.map(simplify).filter(keyword => keyword !== '')
    const isWhole = params.match === 'word'
    return reading => {
      for (const { path, value } of reading.withLinks(reading.leaves(fields))) {
        const text = typeof value === 'string' ? squeeze(reading.fold(value)) : String(value)
        if (!reading.spend((text.length * keywords.length) / AT_A_TIME)) return undefined
        if (keywords.some(keyword => contains(text, keyword, isWhole)))
          return { field: path, text: 'holds a blocked keyword' }
      }
      return undefined
    }
  },
})

function simplify(text: string): string {
  return squeeze(foldLookAlikes(text)).trim()
}

/** Any run of blanks as one. A single one is left as it is: most are, and each that is replaced takes time. */
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
