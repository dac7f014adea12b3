import { hash } from 'node:crypto'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { exactDigits } from '../protocol/parse-json.ts'

/** Replaces secrets in a text; the detector's part. */
export type MaskText = (text: string) => string

export const MASKED = '[masked]'
const CUT = '[cut]'

/** How much is kept. */
export interface Bounds {
  /** A longer string is kept by its beginning, its length and its digest. */
  readonly text: number
  readonly key: number
  /** All arguments of a call together. */
  readonly chars: number
  readonly values: number
}

const LONG = 1024
const KEPT = 256
/** A secret at the end of what is kept may need this much more to be recognised. */
const LOOKAHEAD = 4096
const FOR_THE_LOG: Bounds = { text: LONG, key: 128, chars: 16_384, values: 1000 }
const { POSITIVE_INFINITY: ALL } = Number
/** For whoever has to see everything; how much that may be is somebody else's care. */
export const WHOLE: Bounds = { text: ALL, key: ALL, chars: ALL, values: ALL }

const SECRETIVE =
  /pass(?:w(?:or)?d|phrase|code)|(?:^|[_-])pass$|secret|token|credential|authori[sz]ation|^auth$|bearer|cookie|api[_-]?key|(?:private|access|signing|encryption)[_-]?key|(?:^|[_-])(?:pwd|pin|otp|cvv|cvc|ssn)$/i
/** `max_tokens`, `token_count`: a number of them is no secret. */
const COUNTING = /tokens$|count|limit|max|min|budget|usage/i

/**
 * Arguments as they may be stored: what a key names as a secret and what the detector finds are masked, long strings and
 * long lists are cut to the bounds. What needs no change comes back as it is.
 */
export function maskValue(value: unknown, maskText: MaskText, bounds = FOR_THE_LOG): unknown {
  return mask(value, { maskText, bounds, chars: bounds.chars, values: bounds.values })
}

/** A text of an agent or a server, masked and cut. */
export function maskLine(text: string, maskText: MaskText, max = LONG): string {
  if (text.length <= max) return maskText(text)
  return `${maskText(text.slice(0, max + LOOKAHEAD)).slice(0, max)}…`
}

interface Pass {
  readonly maskText: MaskText
  readonly bounds: Bounds
  /** What may still be kept. */
  chars: number
  values: number
}

function mask(value: unknown, pass: Pass): unknown {
  pass.values -= 1
  if (pass.values < 0 || pass.chars < 0) return CUT
  if (typeof value === 'string') return maskString(value, pass)
  if (isJsonObject(value)) return maskObject(value, pass)
  return Array.isArray(value) ? maskList(value, pass) : value
}

function maskString(text: string, pass: Pass): string {
  const digits = exactDigits(text)
  const { text: long } = pass.bounds
  if (digits !== undefined && digits.length <= long) return text
  const masked = text.length <= long ? pass.maskText(text) : cutText(digits ?? text, pass.maskText)
  pass.chars -= masked.length
  return masked
}

function cutText(text: string, maskText: MaskText): string {
  const start = maskText(text.slice(0, KEPT + LOOKAHEAD)).slice(0, KEPT)
  return `${start.toWellFormed()}…[${text.length} characters, sha256 ${hash('sha256', text)}]`
}

function maskList(list: readonly unknown[], pass: Pass): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [index, value] of list.entries()) {
    if (pass.values <= 0 || pass.chars < 0) return [...(changed ?? list.slice(0, index)), CUT]
    const masked = mask(value, pass)
    if (masked !== value) changed ??= list.slice(0, index)
    changed?.push(masked)
  }
  return changed ?? list
}

function maskObject(object: Json, pass: Pass): object {
  let isChanged = false
  const entries: [string, unknown][] = []
  // Not by a list of all members, which may be far more than are kept.
  for (const key in object) {
    const value = object[key]
    if (pass.values <= 0 || pass.chars < 0) {
      entries.push([CUT, CUT])
      isChanged = true
      break
    }
    const ownKey = maskKey(key, pass)
    const masked = isSecretive(key, value) ? maskSecretive(value, pass) : mask(value, pass)
    isChanged ||= masked !== value || ownKey !== key
    entries.push([ownKey, masked])
  }
  // Unlike an assignment, this makes an own property of `__proto__`, too.
  return isChanged ? Object.fromEntries(entries) : object
}

/** For the log all of it; for whoever has to see what is executed only values, which are all that can be secret. */
function maskSecretive(value: unknown, pass: Pass): unknown {
  if (pass.bounds !== WHOLE || typeof value !== 'object') return MASKED
  return Array.isArray(value)
    ? value.map(part => (typeof part === 'object' ? mask(part, pass) : MASKED))
    : mask(value, pass)
}

function maskKey(key: string, pass: Pass): string {
  pass.chars -= key.length
  // Names are short; what is long may be anything.
  if (key.length <= 16) return key
  const { key: long } = pass.bounds
  const masked = pass.maskText(key.slice(0, long + LOOKAHEAD))
  return masked.length <= long ? masked : `${masked.slice(0, long)}…`
}

function isSecretive(key: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '' || key.length > 200) return false
  if (!SECRETIVE.test(key)) return false
  return !(typeof value === 'number' && COUNTING.test(key))
}
