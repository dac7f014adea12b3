import {
  isSecretHeader,
  isSecretText,
  isSecretUnder,
  isSecretVariable,
  looksRandom,
} from './config-secrets.ts'

/** A part of a text: plain, or a secret to store elsewhere. */
export interface TextPart {
  readonly text: string
  readonly isSecret: boolean
}

/** The location of a value, which determines how its secrets are recognised. */
export type ValueLocation =
  | { readonly in: 'env' | 'headers'; readonly key: string }
  | { readonly in: 'args'; readonly before: string | undefined }
  | { readonly in: 'url' }
  | { readonly in: 'other' }

const SCHEME = /^((?:bearer|basic|token|apikey|bot)\s+)(?=\S)/i
/** Matches the gateway's own references. Clients do not know them, so in a client's config they are literal text. */
const OURS = /\$\{(?:env|file):/

export function holdsReference(text: string): boolean {
  return OURS.test(text)
}

export function splitSecrets(text: string, location: ValueLocation): readonly TextPart[] {
  if (holdsReference(text)) return [{ text, isSecret: true }]
  if (location.in === 'headers') return splitWhole(text, isSecretHeader(location.key, text))
  if (location.in === 'env') return splitWhole(text, isSecretVariable(location.key, text))
  if (location.in === 'args') return splitArgument(text, location.before)
  return location.in === 'url' ? splitUrl(text) : [{ text, isSecret: false }]
}

/** Splits off a scheme before a credential, such as `Bearer`, which stays readable. */
function splitWhole(text: string, isSecret: boolean): readonly TextPart[] {
  const scheme = isSecret ? (SCHEME.exec(text)?.[1] ?? '') : ''
  return [
    ...(scheme === '' ? [] : [{ text: scheme, isSecret: false }]),
    { text: text.slice(scheme.length), isSecret },
  ]
}

/**
 * Splits an argument. The name of the value is in the argument itself (`--api-key=x`, or `/token:x` for some programs)
 * or in the previous one (`--api-key x`).
 */
function splitArgument(text: string, before: string | undefined): readonly TextPart[] {
  const flagName = before !== undefined && FLAG.test(before) ? before.replace(/^-+/, '') : undefined
  if (flagName !== undefined && isSecretFlag(flagName, text) && isDashedValue(text))
    return splitWhole(text, true)
  const [, dashes = '', name = '', sign = '', value] = /^(-{1,2}|\/)([\w.-]+)([=:])(.+)$/s.exec(text) ?? []
  if (value !== undefined && (isSecretFlag(name, value) || (dashes !== '/' && sign === '=')))
    return [{ text: dashes + name + sign, isSecret: false }, ...splitValue(name, value)]
  return flagName !== undefined && !text.startsWith('-') ? splitValue(flagName, text) : splitWord(text)
}

const FLAG = /^-{1,2}[\w.-]+$/
const PLAIN_FLAG = /^-{1,2}[a-z]+(?:[-_.][a-z]+)*(?:=.*)?$/is

/**
 * True for a value that starts with a dash, as a password can. A flag starts with a dash too, but consists of words.
 */
function isDashedValue(text: string): boolean {
  return text.startsWith('-') && text !== '-' && text !== '--' && !PLAIN_FLAG.test(text)
}

/** Matches the flag for a header, as in mcp-remote's `--header "Authorization: Bearer x"`, or `-H`. */
const HEADER = /^h$|header/i
/** Matches the flag for a user with a password, as in curl's `-u ada:password`. (Docker's `-u` takes two numbers.) */
const USER = /^(?:u|user|userpwd|proxy-user|login|basic-auth)$/i
const PERSON = /^(?!\d+:\d+$)[^/:]*:./s
/** Matches a flag for the path of a secret, rather than the secret itself. */
const PATH_FLAG = /(?:file|path|dir|folder)$/i
const ADDRESS = /^[a-z]+:\/\//i

function splitValue(flag: string, value: string): readonly TextPart[] {
  const [, name, held] = /^([\w-]+:\s*)(\S.*)$/s.exec(value) ?? []
  if (name !== undefined && held !== undefined && HEADER.test(flag))
    return [
      { text: name, isSecret: false },
      ...splitWhole(held, isSecretHeader(name.replace(/:\s*$/, ''), held)),
    ]
  if (USER.test(flag) && PERSON.test(value) && !ADDRESS.test(value)) return [{ text: value, isSecret: true }]
  return isSecretFlag(flag, value) && !ADDRESS.test(value) ? splitWhole(value, true) : splitWord(value)
}

function isSecretFlag(flag: string, value: string): boolean {
  return isSecretUnder(flag, value) && !PATH_FLAG.test(flag)
}

/**
 * Splits a value without a flag: a URL, `TOKEN=x`, or several assignments, as in `user=u password=x` and
 * `Server=x;Pwd=y;`.
 */
function splitWord(text: string): readonly TextPart[] {
  if (ADDRESS.test(text)) return splitUrl(text)
  // Text with = only at its end is base64, not an assignment.
  if (/^[A-Za-z_][\w .-]*=(?!=*$)/.test(text)) return text.split(BETWEEN).flatMap(splitAssignment)
  return text.length > LONGEST_LINE || isSecretText(text) ? splitWhole(text, true) : splitInside(text)
}

/** Length above which text is masked completely. */
const LONGEST_LINE = 20_000

/** Matches a quoted, possibly escaped name that a colon follows, as in JSON, or `NAME=`, as in a shell. */
const NAMED = /\\*["']([\w.-]{1,100})\\*["']\s{0,9}:\s{0,9}|(?<![\w.-])([A-Za-z_][\w.-]{0,99})=/g
/** Patterns of values: quoted, quoted within quotes, and unquoted. A reference to a shell variable is not a secret. */
const VALUES = [
  /(["'])((?:(?!\1)[^\\]|\\.)+)/sy,
  /(\\+["'])((?:[^"'\\]|\\(?!["'\\]))+)/y,
  /()((?!\$)[^\s"'\\,;&|{}()[\]<>]{1,2000})/y,
]

/** Splits text with named values in it, such as `{"apiKey": "x"}` or `cd app && TOKEN=x node .` */
function splitInside(text: string): readonly TextPart[] {
  const secrets: Located[] = []
  for (const { index, 0: whole, 1: quoted, 2: assigned } of text.matchAll(NAMED)) {
    const value = valueAt(text, index + whole.length)
    const isNew = value !== undefined && value.start >= endOf(secrets.at(-1))
    if (isNew && isSecretVariable(quoted ?? assigned ?? '', value.text)) secrets.push(value)
  }
  return splitAt(text, secrets)
}

interface Located {
  readonly text: string
  readonly start: number
}

function endOf(place: Located | undefined): number {
  return place === undefined ? 0 : place.start + place.text.length
}

/** Splits a text into its secrets and the parts between them. */
function splitAt(text: string, secrets: readonly Located[]): readonly TextPart[] {
  const parts = secrets.flatMap((secret, at) => [
    { text: text.slice(endOf(secrets[at - 1]), secret.start), isSecret: false },
    { text: secret.text, isSecret: true },
  ])
  const rest = text.slice(endOf(secrets.at(-1)))
  return rest === '' ? parts : [...parts, { text: rest, isSecret: false }]
}

function valueAt(text: string, at: number): Located | undefined {
  for (const pattern of VALUES) {
    pattern.lastIndex = at
    const [, quote = '', value] = pattern.exec(text) ?? []
    if (value !== undefined) return { text: value, start: at + quote.length }
  }
  return undefined
}

const BETWEEN = /(;\s*(?=[A-Za-z_][\w .-]*=|$)|(?<!\s)\s+(?=[A-Za-z_][\w.-]*=))/

function splitAssignment(text: string): readonly TextPart[] {
  const [, name, value] = /^([A-Za-z_][\w .-]*=\s*)(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) return splitWhole(text, isSecretText(text))
  const isSecret = isSecretVariable(name.trimEnd().slice(0, -1).trimEnd(), value)
  return [{ text: name, isSecret: false }, ...splitWhole(value, isSecret)]
}

/**
 * Matches the parts of a URL that can be secret: a password before the host, query parameters, and long random path
 * segments.
 */
const PARTS = /(:\/\/[^/@:\s]*:)([^/@\s]+)(?=@)|([?&][^=&#]+=)([^&#]+)|(\/)([^/?#]{20,})/g

function splitUrl(text: string): readonly TextPart[] {
  const secrets: Located[] = []
  for (const match of text.matchAll(PARTS)) {
    const [whole, , password, parameter, value, , name] = match
    const queryValue = parameter && isSecretParameter(parameter, value ?? '') ? value : undefined
    const secret = password ?? queryValue ?? (name !== undefined && looksRandom(name) ? name : undefined)
    if (secret) secrets.push({ text: secret, start: match.index + whole.length - secret.length })
  }
  return splitAt(text, secrets)
}

function isSecretParameter(parameter: string, value: string): boolean {
  return isSecretVariable(parameter.slice(1, -1), value)
}
