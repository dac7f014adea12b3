import { entropyOf } from '../text/entropy.ts'
import type { Finding } from '../text/finding.ts'
import { isCodeName } from '../text/is-code-name.ts'
import { isPlaceholder, isWord } from '../text/looks.ts'
import { anyOf } from '../text/words.ts'

const IS_NAME = new RegExp(`${anyOf('secretWords')}|${anyOf('services')}`, 'i')
const IS_SECRET_WORD = new RegExp(anyOf('secretWords'), 'i')
const ABOUT = new RegExp(`(?:_|-|\\b|[a-z](?=[A-Z]))${anyOf('aboutSecrets')}$`, 'i')
const CURSOR = new RegExp(`${anyOf('cursors')}[_-]?token$`, 'i')

/** True if a name suggests that its value is a secret. */
export function isSecretName(name: string): boolean {
  const end = name.length > MAX_NAME ? name.slice(-MAX_NAME) : name
  return IS_NAME.test(end) && !ABOUT.test(end) && !CURSOR.test(end)
}

const MAX_CHECKED = 20_000
const MAX_NAME = 60

interface Assignment {
  readonly name: string
  readonly start: number
  readonly value: string
  readonly isQuoted: boolean
  /** True if an opening parenthesis follows the value immediately. */
  readonly isCalled: boolean
}

/** Matches `=`, `:`, `:=`, `=>` and percent-escaped separators. */
const SEPARATOR = /:=?|=(?:>|={0,2})|%3[AD]/gi

/**
 * Finds secrets by their names, as in `db_password = "…"`, `"apiKey": "…"` and `?token=…`. Each separator causes one
 * check of bounded length, so the search takes linear time. Checking the value after a secret's name is expensive, so
 * `mayLook` is called before it.
 */
export function findAssignments(text: string, mayLook: () => boolean): readonly Finding[] {
  const found: Finding[] = []
  let done = 0
  let checked = 0
  SEPARATOR.lastIndex = 0
  // `exec` is used, because `matchAll` clones the pattern for every text.
  for (let match = SEPARATOR.exec(text); match !== null; match = SEPARATOR.exec(text)) {
    const { 0: separator, index: at } = match
    if (at < done) continue
    const name = readName(text, at)
    if (name.length < MIN_NAME || !IS_NAME.test(name)) continue
    checked += 1
    if (checked > MAX_CHECKED || !mayLook()) {
      // Only hostile text has so many candidates. The rest of it counts as a secret.
      found.push({ rule: 'assigned-secret', start: at, end: text.length, confidence: 1 })
      break
    }
    const assignment = readAssignment(text, name, at + separator.length)
    const confidence = assignment === undefined ? 0 : judgeAssignment(assignment)
    if (assignment === undefined || confidence === 0) continue
    done = assignment.start + assignment.value.length
    found.push({ rule: 'assigned-secret', start: assignment.start, end: done, confidence })
  }
  return found
}

/** Reads the name before a separator, without its quote or bracket. */
function readName(text: string, from: number): string {
  let end = from
  while (end > from - MAX_GAP && AFTER_NAME.includes(text.charAt(end - 1)) && end > 0) end -= 1
  let begin = end
  while (begin > end - MAX_NAME && isNameCode(text.charCodeAt(begin - 1))) begin -= 1
  return text.slice(begin, end)
}

const MIN_NAME = 3
const MAX_GAP = 8
const AFTER_NAME = ' \t"\'`])\\'

/** True for the characters of names: letters, digits, `_`, `.` and `-`. */
function isNameCode(code: number): boolean {
  if (code >= 97) return code <= 122
  if (code >= 65) return code <= 90 || code === 95
  return (code >= 48 && code <= 57) || code === 45 || code === 46
}

/** Matches what can come between a separator and its value, which is on the same line. */
const BEFORE_VALUE = /[ \t\\]{0,8}/y
const MAX_VALUE = 240
/**
 * The pattern of a value, by the value's quote character. Without a quote, the value ends at punctuation or a blank.
 */
const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['"', /[^"\\\n]{0,240}/y],
  ["'", /[^'\\\n]{0,240}/y],
  ['`', /[^`\\\n]{0,240}/y],
  ['', /[^"'`,;<>(){}[\]& \t\r\n\u00A0]{0,240}/y],
])

function readAssignment(text: string, name: string, to: number): Assignment | undefined {
  BEFORE_VALUE.lastIndex = to
  BEFORE_VALUE.test(text)
  const opened = text.charAt(BEFORE_VALUE.lastIndex)
  const quote = VALUES.has(opened) ? opened : ''
  const start = BEFORE_VALUE.lastIndex + quote.length
  const pattern = VALUES.get(quote)
  if (pattern === undefined) return undefined
  pattern.lastIndex = start
  const value = pattern.exec(text)?.[0] ?? ''
  const close = start + value.length
  if (value.length === MAX_VALUE && close < text.length) return undefined
  return { name, start, value, isQuoted: quote !== '', isCalled: quote === '' && text[close] === '(' }
}

const MIN_LENGTH = 8
const CALLED = /^[\w.]{1,60}\(|^(?:process|os|env|config|settings|self|this|System)\./

/**
 * Matches public values that often have names like secrets: timestamps (`passwordChangedAt`) and blockchain addresses
 * (`tokenIn`).
 */
const PUBLIC_VALUE =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$|^0x[\da-fA-F]{40}$/

function judgeAssignment(assignment: Assignment): number {
  const confidence = judgeValue(assignment)
  return confidence > 0 && isReference(assignment) ? 0 : confidence
}

/** Matches the upper-case name of a setting. Its value is the setting itself, not a reference. */
const IS_SETTING = /^[^a-z]*$/
const IS_PASSWORD = /passw|pwd/i

/**
 * True if the value is a reference or a type in code. Passwords are often made of words, so for passwords and settings
 * only a function call counts as a reference.
 */
function isReference({ name, value, isQuoted, isCalled }: Assignment): boolean {
  if (isQuoted || !isCodeName(value)) return false
  return isCalled || !(IS_PASSWORD.test(name) || IS_SETTING.test(name))
}

function judgeValue({ name, value, isQuoted }: Assignment): number {
  if (value.length < MIN_LENGTH || !isSecretName(name) || isPlaceholder(value)) return 0
  if (CALLED.test(value) || PUBLIC_VALUE.test(value)) return 0
  if (IS_SECRET_WORD.test(name)) {
    if (IS_PASSWORD.test(name)) return judgePassword(value, isQuoted)
    return isRandom(value, 10) ? 0.8 : 0
  }
  return isRandom(value, 20) ? 0.6 : 0
}

/**
 * Returns the confidence that a value is a password. Passwords can have little entropy, so after a telling name, a
 * digit and a letter are enough.
 */
function judgePassword(value: string, isQuoted: boolean): number {
  if (/\s/.test(value) || !/[A-Za-z]/.test(value)) return 0
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9\s]/].filter(kind => kind.test(value)).length
  if (!/\d/.test(value) && (kinds < 3 || /^[A-Za-z]+[._-][A-Za-z]+/.test(value))) return 0
  return kinds > 2 || isQuoted ? 0.75 : 0.6
}

/** True for a value that is long, mixed and unlike words, as generated secrets are. */
function isRandom(value: string, min: number): boolean {
  if (value.length < min || /[^\w+/=.~:%@!#$^*|-]/.test(value)) return false
  const digits = value.match(/\d/g)?.length ?? 0
  if (digits === 0 && !/[a-z][A-Z][a-z]{0,3}[A-Z]/.test(value)) return false
  if (looksLikeWords(value, digits)) return false
  return entropyOf(value) >= (value.length < 20 || digits === value.length ? 2.9 : 3.1)
}

/** True for words and versions, such as `org.example:thing-0.11.2`, `rc0.15.0_2023` and `s_rsa1024_priv.pem`. */
function looksLikeWords(value: string, digits: number): boolean {
  if (/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/.test(value) || /\d\.\d{1,3}\.\d/.test(value)) return true
  if (/\.(?:pem|key|json|ya?ml|txt|crt|js|ts|py|com|org|net|io)\b/i.test(value)) return true
  const words = value.split(/[^A-Za-z]+/).filter(word => word.length > 3)
  const lettersInWords = words.reduce((sum, word) => sum + (isWord(word) ? word.length : 0), 0)
  return digits < 4 && lettersInWords > value.length * 0.6
}
