import { z } from 'zod'
import { isDigit } from '../../../detect/characters.ts'
import { findPii, PII_KINDS, type PiiFinding } from '../../../detect/find-pii.ts'
import { findSecrets } from '../../../detect/find-secrets.ts'
import { type Finding, LIKELY } from '../../../detect/finding.ts'
import { toPlain } from '../../../detect/to-plain.ts'
import { EVERYTHING } from '../field-path.ts'
import type { Reading } from '../reading.ts'
import { defineRule, fieldParams, readFields, type Violation } from '../rule.ts'

const confidence = z.number().min(0).max(1).default(LIKELY)

/** Personal data in arguments, all kinds or some. */
export const piiDetect = defineRule({
  name: 'pii_detect',
  readsTexts: true,
  params: { ...fieldParams, kinds: z.array(z.enum(PII_KINDS)).min(1).optional(), min_confidence: confidence },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    const kinds = new Set(params.kinds ?? PII_KINDS)
    const search: Search<PiiFinding> = {
      name: [...kinds].toSorted().join(),
      find: text => findPii(text, kinds),
      isForNumbers: true,
    }
    return reading => {
      const effort = effortOf(reading)
      for (const { path, value } of reading.leaves(fields)) {
        // A number can be a card or an account too.
        const found = typeof value === 'boolean' ? [] : searchOnce(String(value), search, effort)
        if (found === TOO_MUCH) return tooMuch(path, 'personal data')
        const hit = found.find(one => one.confidence >= params.min_confidence)
        if (hit !== undefined) return { field: path, text: `holds personal data (${hit.kind})` }
      }
      return undefined
    }
  },
})

/** Keys, tokens and passwords in arguments. */
export const secretDetect = defineRule({
  name: 'secret_detect',
  readsTexts: true,
  params: { ...fieldParams, min_confidence: confidence },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    return reading => {
      const effort = effortOf(reading)
      for (const { path, value } of reading.texts(fields)) {
        const found = searchOnce(value, SECRETS, effort)
        if (found === TOO_MUCH) return tooMuch(path, 'secrets')
        const hit = found.find(one => one.confidence >= params.min_confidence)
        if (hit !== undefined) return { field: path, text: `holds what looks like a secret (${hit.rule})` }
      }
      return undefined
    }
  },
})

/** How one rule looks through a text. Rules with searches of one name share what was found. */
interface Search<F extends Finding> {
  readonly name: string
  readonly find: (text: string) => readonly F[]
  readonly isForNumbers: boolean
}

const SECRETS: Search<Finding> = { name: 'secrets', find: findSecrets, isForNumbers: false }

/**
 * So many characters are searched for one call, by all rules together, and so many digits for personal data: they are
 * what takes the time, and all agents wait meanwhile. What is searched twice for the same counts once.
 */
const MOST_CHARACTERS = 8 * 1024 * 1024
const MOST_DIGITS = 512 * 1024

interface Effort {
  characters: number
  digits: number
  readonly found: Map<string, Map<string, readonly Finding[]>>
}

const efforts = new WeakMap<Reading, Effort>()

function effortOf(reading: Reading): Effort {
  const known = efforts.get(reading)
  if (known !== undefined) return known
  const effort = { characters: 0, digits: 0, found: new Map() }
  efforts.set(reading, effort)
  return effort
}

const TOO_MUCH = 'too much'

/** Shorter texts are searched faster than looked up. */
const WORTH_KEEPING = 1000

function searchOnce<F extends Finding>(
  text: string,
  search: Search<F>,
  effort: Effort,
): readonly F[] | typeof TOO_MUCH {
  if (text.length < WORTH_KEEPING) return searchNow(text, search, effort)
  const before = effort.found.get(search.name) ?? new Map<string, readonly F[]>()
  effort.found.set(search.name, before)
  const known = before.get(text)
  if (known !== undefined) return known as readonly F[]
  const found = searchNow(text, search, effort)
  if (found !== TOO_MUCH) before.set(text, found)
  return found
}

function searchNow<F extends Finding>(
  text: string,
  search: Search<F>,
  effort: Effort,
): readonly F[] | typeof TOO_MUCH {
  const plain = toPlain(text)
  // What is normal may be longer than what came.
  effort.characters += plain.length
  if (effort.characters > MOST_CHARACTERS) return TOO_MUCH
  if (search.isForNumbers) {
    effort.digits += countDigits(plain)
    if (effort.digits > MOST_DIGITS) return TOO_MUCH
  }
  return search.find(plain)
}

function countDigits(text: string): number {
  let digits = 0
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) digits += 1
  return digits
}

/** What was not searched is not known to be harmless. */
function tooMuch(field: string, what: string): Violation {
  return {
    field,
    text: `is too much to be searched for ${what} (a call may have ${MOST_CHARACTERS} characters, and ${MOST_DIGITS} digits)`,
  }
}
