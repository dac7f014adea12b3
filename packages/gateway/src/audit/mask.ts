import { hash } from 'node:crypto'
import { namesSecret } from '../detect/text/looks.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { exactDigits } from '../protocol/parse-json.ts'

/** Replaces secrets in a text. The secret detector implements it. */
export type MaskText = (text: string) => string

export const MASKED = '[masked]'
const CUT = '[cut]'

export interface Bounds {
  /** Maximum number of characters of a string. Of a longer one, the beginning, the length and the digest are kept. */
  readonly text: number
  readonly key: number
  /** Maximum number of characters in all of a call's arguments together; `values` is the maximum number of values. */
  readonly chars: number
  readonly values: number
}

const LONG = 1024
const KEPT = 256
/** The number of characters examined after the kept part, so that a secret at its end is recognised. */
const LOOKAHEAD = 4096
/** The number of characters at the end of the examined text that could be the beginning of an unrecognised secret. */
const UNSURE = 2048
const FOR_THE_LOG: Bounds = { text: LONG, key: 128, chars: 16_384, values: 1000 }
const { POSITIVE_INFINITY: ALL } = Number
/** No bounds, for approvers, who must see everything. The calling code limits the size. */
export const WHOLE: Bounds = { text: ALL, key: ALL, chars: ALL, values: ALL }

/** Matches names for numbers of tokens, such as `max_tokens` and `token_count`, which are not secrets. */
const COUNTING = /tokens$|count|limit|max|min|budget|usage/i

/**
 * Returns arguments in a form that can be stored: detected secrets and values under keys that name a secret are masked,
 * and long strings and lists are cut. A value that needs no change is returned as it is.
 */
export function maskValue(value: unknown, maskText: MaskText, bounds = FOR_THE_LOG): unknown {
  return mask(value, { maskText, bounds, chars: bounds.chars, values: bounds.values })
}

export function maskLine(text: string, maskText: MaskText, max = LONG): string {
  return text.length <= max ? maskText(text) : `${maskStart(text, maskText, max)}…`
}

/**
 * Returns the beginning of a text, with secrets masked. Masking shortens the text, so text from further on moves up
 * into the part that is kept. Text that could be part of an unrecognised secret is left out.
 */
function maskStart(text: string, maskText: MaskText, max: number): string {
  const seen = text.slice(0, max + LOOKAHEAD)
  const masked = maskText(seen)
  const sure = seen.length === text.length ? masked.length : Math.max(0, masked.length - UNSURE)
  return masked.slice(0, Math.min(max, sure))
}

interface Pass {
  readonly maskText: MaskText
  readonly bounds: Bounds
  /** The remaining budget of characters. */
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
  if (digits !== undefined && digits.length <= long) {
    pass.chars -= digits.length
    return text
  }
  const masked = text.length <= long ? pass.maskText(text) : cutText(digits ?? text, pass.maskText)
  pass.chars -= masked.length
  return masked
}

function cutText(text: string, maskText: MaskText): string {
  const start = maskStart(text, maskText, KEPT)
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
  // Members are visited one by one, because an object can have far more of them than are kept.
  for (const key in object) {
    const value = object[key]
    if (pass.values <= 0 || pass.chars < 0) {
      entries.push([CUT, CUT])
      isChanged = true
      break
    }
    const ownKey = maskKey(key, pass)
    const masked = isSecretive(key, value) ? maskSecretive(key, value, pass) : mask(value, pass)
    isChanged ||= masked !== value || ownKey !== key
    entries.push([ownKey, masked])
  }
  // Unlike an assignment, this also creates an own property for `__proto__`.
  return isChanged ? Object.fromEntries(numberDuplicates(entries)) : object
}

/**
 * Adds a number to equal keys. Otherwise only the last of several members with the same name would be shown, although
 * the call contains them all.
 */
function numberDuplicates(entries: readonly [string, unknown][]): readonly [string, unknown][] {
  const times = new Map<string, number>()
  return entries.map(([key, value]) => {
    let name = key
    while (times.has(name)) {
      // The number is stored, so that a later duplicate does not try the same names again.
      const time = (times.get(key) ?? 0) + 1
      times.set(key, time)
      name = `${key} (${time})`
    }
    times.set(name, 1)
    return [name, value]
  })
}

/**
 * Masks a value under a key that names a secret. In the log, it masks the whole value. In arguments that an approver
 * must see in full, it masks only single words and numbers, which is what secrets look like; commands, paths and names
 * stay visible.
 */
function maskSecretive(key: string, value: unknown, pass: Pass): unknown {
  if (pass.bounds !== WHOLE) return MASKED
  if (Array.isArray(value)) return value.map(part => maskWord(key, part, pass))
  return maskWord(key, value, pass)
}

function maskWord(key: string, value: unknown, pass: Pass): unknown {
  const isShown = typeof value === 'object' || NAMES.test(key)
  if (isShown || (typeof value === 'string' && !ONE_WORD.test(value))) return mask(value, pass)
  return MASKED
}

/**
 * Matches keys of names, such as `secret_name` and `token_id`. A name is not a secret, and it shows what the call
 * affects.
 */
const NAMES = /(?:name|id|ids|type|path|file|folder|url|uri|host)$/i
const ONE_WORD = /^[^\s/\\;|<>`'"(){}[\]]{1,128}$/

function maskKey(key: string, pass: Pass): string {
  pass.chars -= key.length
  // A short key is a name and is kept as it is. A long one can be any text.
  return key.length <= 16 ? key : maskLine(key, pass.maskText, pass.bounds.key)
}

function isSecretive(key: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '' || key.length > 200) return false
  if (!namesSecret(key)) return false
  return !(typeof value === 'number' && COUNTING.test(key))
}
