import {
  isSecretHeader,
  isSecretText,
  isSecretUnder,
  isSecretVariable,
  looksRandom,
} from './config-secrets.ts'

/** A stretch of a text: to be written as it is, or to be kept elsewhere. */
export interface Stretch {
  readonly text: string
  readonly isSecret: boolean
}

/** Where a value stands, which says how to tell what is secret in it. */
export type Standing =
  | { readonly in: 'env' | 'headers'; readonly key: string }
  | { readonly in: 'args'; readonly before: string | undefined }
  | { readonly in: 'url' }
  | { readonly in: 'other' }

const SCHEME = /^((?:bearer|basic|token|apikey|bot)\s+)(?=\S)/i
/** Our own references: a client that does not know them means the characters themselves. */
const OURS = /\$\{(?:env|file):/

export function holdsReference(text: string): boolean {
  return OURS.test(text)
}

export function splitSecrets(text: string, standing: Standing): readonly Stretch[] {
  if (holdsReference(text)) return [{ text, isSecret: true }]
  if (standing.in === 'headers') return splitWhole(text, isSecretHeader(standing.key, text))
  if (standing.in === 'env') return splitWhole(text, isSecretVariable(standing.key, text))
  if (standing.in === 'args') return splitArgument(text, standing.before)
  return standing.in === 'url' ? splitUrl(text) : [{ text, isSecret: false }]
}

/** The word before a credential that says of which kind it is stays readable. */
function splitWhole(text: string, isSecret: boolean): readonly Stretch[] {
  const scheme = isSecret ? (SCHEME.exec(text)?.[1] ?? '') : ''
  return [
    ...(scheme === '' ? [] : [{ text: scheme, isSecret: false }]),
    { text: text.slice(scheme.length), isSecret },
  ]
}

/** `--api-key=x` holds its own name; `--api-key x` has it in the argument before. Some write `/token:x`. */
function splitArgument(text: string, before: string | undefined): readonly Stretch[] {
  const told = before !== undefined && FLAG.test(before) ? before.replace(/^-+/, '') : undefined
  if (told !== undefined && isTold(told, text) && isDashedValue(text)) return splitWhole(text, true)
  const [, dashes = '', name = '', sign = '', value] = /^(-{1,2}|\/)([\w.-]+)([=:])(.+)$/s.exec(text) ?? []
  if (value !== undefined && (isTold(name, value) || (dashes !== '/' && sign === '=')))
    return [{ text: dashes + name + sign, isSecret: false }, ...splitBehind(name, value)]
  return told !== undefined && !text.startsWith('-') ? splitBehind(told, text) : splitWord(text)
}

const FLAG = /^-{1,2}[\w.-]+$/
const PLAIN_FLAG = /^-{1,2}[a-z]+(?:[-_.][a-z]+)*(?:=.*)?$/is

/** Passwords may begin with a dash, as flags do; these are words. */
function isDashedValue(text: string): boolean {
  return text.startsWith('-') && text !== '-' && text !== '--' && !PLAIN_FLAG.test(text)
}

/** `--header "Authorization: Bearer x"`, as mcp-remote takes it; `-H`. */
const HEADER = /^h$|header/i
/** `-u ada:password`, as curl takes it; docker has two numbers there. */
const USER = /^(?:u|user|userpwd|proxy-user|login|basic-auth)$/i
const PERSON = /^(?!\d+:\d+$)[^/:]*:./s
/** Where a secret is, not the secret. */
const PLACE = /(?:file|path|dir|folder)$/i
const ADDRESS = /^[a-z]+:\/\//i

function splitBehind(flag: string, value: string): readonly Stretch[] {
  const [, name, held] = /^([\w-]+:\s*)(\S.*)$/s.exec(value) ?? []
  if (name !== undefined && held !== undefined && HEADER.test(flag))
    return [
      { text: name, isSecret: false },
      ...splitWhole(held, isSecretHeader(name.replace(/:\s*$/, ''), held)),
    ]
  if (USER.test(flag) && PERSON.test(value) && !ADDRESS.test(value)) return [{ text: value, isSecret: true }]
  return isTold(flag, value) && !ADDRESS.test(value) ? splitWhole(value, true) : splitWord(value)
}

function isTold(flag: string, value: string): boolean {
  return isSecretUnder(flag, value) && !PLACE.test(flag)
}

/** What stands by itself: an address, `TOKEN=x`, or many of these, as in `user=u password=x` and `Server=x;Pwd=y;`. */
function splitWord(text: string): readonly Stretch[] {
  if (ADDRESS.test(text)) return splitUrl(text)
  // What ends in nothing but = is base64.
  if (/^[A-Za-z_][\w .-]*=(?!=*$)/.test(text)) return text.split(BETWEEN).flatMap(splitAssignment)
  return text.length > LONGEST_LINE || isSecretText(text) ? splitWhole(text, true) : splitInside(text)
}

/** Of what is longer nobody needs to see anything. */
const LONGEST_LINE = 20_000

/** A name in quotes with a colon behind it, as in JSON, which may be in quotes itself; or `NAME=`, as in lines of a shell. */
const NAMED = /\\*["']([\w.-]{1,100})\\*["']\s{0,9}:\s{0,9}|(?<![\w.-])([A-Za-z_][\w.-]{0,99})=/g
/** In quotes, in quotes within quotes, and without any. What only refers to a variable of a shell is no secret. */
const VALUES = [
  /(["'])((?:(?!\1)[^\\]|\\.)+)/sy,
  /(\\+["'])((?:[^"'\\]|\\(?!["'\\]))+)/y,
  /()((?!\$)[^\s"'\\,;&|{}()[\]<>]{1,2000})/y,
]

/** What has names for its parts: `{"apiKey": "x"}`, `cd app && TOKEN=x node .` */
function splitInside(text: string): readonly Stretch[] {
  const secrets: Place[] = []
  for (const { index, 0: whole, 1: quoted, 2: assigned } of text.matchAll(NAMED)) {
    const value = valueAt(text, index + whole.length)
    const isNew = value !== undefined && value.start >= endOf(secrets.at(-1))
    if (isNew && isSecretVariable(quoted ?? assigned ?? '', value.text)) secrets.push(value)
  }
  return takeOut(text, secrets)
}

interface Place {
  readonly text: string
  readonly start: number
}

function endOf(place: Place | undefined): number {
  return place === undefined ? 0 : place.start + place.text.length
}

/** A text as its secrets and what stands between them. */
function takeOut(text: string, secrets: readonly Place[]): readonly Stretch[] {
  const stretches = secrets.flatMap((secret, at) => [
    { text: text.slice(endOf(secrets[at - 1]), secret.start), isSecret: false },
    { text: secret.text, isSecret: true },
  ])
  const rest = text.slice(endOf(secrets.at(-1)))
  return rest === '' ? stretches : [...stretches, { text: rest, isSecret: false }]
}

function valueAt(text: string, at: number): Place | undefined {
  for (const pattern of VALUES) {
    pattern.lastIndex = at
    const [, quote = '', value] = pattern.exec(text) ?? []
    if (value !== undefined) return { text: value, start: at + quote.length }
  }
  return undefined
}

const BETWEEN = /(;\s*(?=[A-Za-z_][\w .-]*=|$)|(?<!\s)\s+(?=[A-Za-z_][\w.-]*=))/

function splitAssignment(text: string): readonly Stretch[] {
  const [, name, value] = /^([A-Za-z_][\w .-]*=\s*)(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) return splitWhole(text, isSecretText(text))
  const isSecret = isSecretVariable(name.trimEnd().slice(0, -1).trimEnd(), value)
  return [{ text: name, isSecret: false }, ...splitWhole(value, isSecret)]
}

/** A password before the host, values of the query, long random names in the path. */
const PARTS = /(:\/\/[^/@:\s]*:)([^/@\s]+)(?=@)|([?&][^=&#]+=)([^&#]+)|(\/)([^/?#]{20,})/g

function splitUrl(text: string): readonly Stretch[] {
  const secrets: Place[] = []
  for (const match of text.matchAll(PARTS)) {
    const [whole, , password, parameter, value, , name] = match
    const told = parameter && isSecretParameter(parameter, value ?? '') ? value : undefined
    const secret = password ?? told ?? (name !== undefined && looksRandom(name) ? name : undefined)
    if (secret) secrets.push({ text: secret, start: match.index + whole.length - secret.length })
  }
  return takeOut(text, secrets)
}

function isSecretParameter(parameter: string, value: string): boolean {
  return isSecretVariable(parameter.slice(1, -1), value)
}
