import { isJsonObject } from '../../../protocol/messages.ts'
import { isText } from '../../../protocol/parse-json.ts'

const HIDDEN = '[masked]'
/** Minimum length of a value that is treated as a secret. Shorter values are usually words. */
const SHORT = 6

export type Hide = (text: string) => string

/**
 * Returns a function that removes credentials from a text. JSON, URLs and markup write the signs of a credential in other
 * forms, which count as well.
 */
export function hideAll(credentials: readonly (string | undefined)[]): Hide {
  const values = credentials.flatMap(value => (value === undefined ? [] : partsOf(value)))
  // Longest first, because one secret can contain another.
  const secrets = [...new Set(values)]
    .filter(value => value.length >= SHORT)
    .toSorted((a, b) => b.length - a.length)
  if (secrets.length === 0) return text => text
  const pattern = new RegExp(secrets.map(inAnyForm).join('|'), 'gu')
  return text => text.replaceAll(pattern, HIDDEN)
}

/** Hides secrets in all texts of a parsed value. Returns the same value if there are none. */
export function hideInValue(value: unknown, hide: Hide): unknown {
  if (isText(value)) return hide(value)
  if (Array.isArray(value))
    return keepIfSame(
      value,
      value.map(part => hideInValue(part, hide)),
    )
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  const hidden = entries.map(([key, part]) => [hide(key), hideInValue(part, hide)] as const)
  const isSame = hidden.every(([key, part], at) => key === entries[at]?.[0] && part === entries[at]?.[1])
  return isSame ? value : Object.fromEntries(hidden)
}

function keepIfSame(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((part, at) => part === before[at]) ? before : after
}

/** Returns a value and its parts that are secret by themselves: behind the scheme, in cookies, and in Basic. */
function partsOf(value: string): readonly string[] {
  const behind = value.slice(value.indexOf(' ') + 1)
  const cookies = value.includes('=')
    ? value.split(/;\s*/).map(part => part.slice(part.indexOf('=') + 1))
    : []
  const basic = /^basic +([\w+/=-]+)$/i.exec(value)?.[1]
  const pair = basic === undefined ? '' : Buffer.from(basic, 'base64').toString()
  return [value, behind, ...cookies, pair, pair.slice(pair.indexOf(':') + 1)]
}

/** Returns a pattern for a secret in which each sign can be escaped as in JSON, a URL or markup. */
function inAnyForm(secret: string): string {
  return [...secret.toWellFormed()].map(sign => (/[A-Za-z0-9]/.test(sign) ? sign : formsOf(sign))).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
}

function formsOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  const units = Array.from({ length: sign.length }, (_, at) =>
    sign.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  const forms = [
    units.map(unit => `\\\\u${inAnyCase(unit)}`).join(''),
    [...Buffer.from(sign)].map(byte => `%${inAnyCase(byte.toString(16).padStart(2, '0'))}`).join(''),
    `&#0*${code};`,
    `&#[xX]0*${inAnyCase(code.toString(16))};`,
    ...(ENTITIES[sign] === undefined ? [] : [`&${ENTITIES[sign]};`]),
    // JSON escapes a quote, a backslash and a slash with a backslash.
    ...('"\\/'.includes(sign) ? [`\\\\${literal(sign)}`] : []),
    ...(sign === ' ' ? ['\\+'] : []),
    literal(sign),
  ]
  return `(?:${forms.join('|')})`
}

function inAnyCase(digits: string): string {
  return digits.replaceAll(/[a-f]/g, letter => `[${letter}${letter.toUpperCase()}]`)
}

function literal(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
}
