import { looksLikeKey } from '../text/looks.ts'
import { maskSecrets } from './mask-secrets.ts'
import { splitSecrets, type TextPart } from './split-secrets.ts'

export const MASK = '••••••'

export const REFERENCES = /\$\{(?:env|file):[^}]*\}/g
/** The first of the private-use characters that stand for references while the text around them is checked. */
const HELD = 0xe000
const ONLY_HELD = /^[\uE000-\uF8FF]*$/
const ADDRESS = /^[a-z][\w+.-]*:\/\//i
/** Matches a URL whose scheme and host are in a reference, as in `${env:BASE}/mcp?key=value`. */
const FILLED_ADDRESS = /^[\uE000-\uF8FF][^\s?]*\?[^\s=]+=/

/** Returns a program's arguments with secrets masked. An argument can identify the next one as a secret. */
export function maskArguments(args: readonly string[]): readonly string[] {
  return args.map((argument, at) => keepReferences(argument, text => maskArgument(text, args[at - 1])))
}

/**
 * Returns the secrets in arguments, so that they can be found in other texts. In URLs, only certain secrets are
 * included.
 */
export function findSecretArguments(args: readonly string[]): readonly string[] {
  return args
    .map((argument, at) => readArgument(argument, args[at - 1]))
    .flatMap(read => (read.address === undefined ? read.parts : splitSecrets(read.address, { in: 'url' })))
    .filter(({ isSecret }) => isSecret)
    .map(({ text }) => text)
}

/** Masks the secrets in `command`, because some configs have the whole command line there. */
export function maskCommand(command: string): string {
  return maskArguments(command.split(' ')).join(' ')
}

/**
 * Masks a URL such as `https://user:password@host/path?key=value`, except for the host. In the path, only text that
 * looks like a key is masked. Other texts are returned unchanged.
 */
export function maskAddress(text: string): string {
  return keepReferences(text, held => (ADDRESS.test(held) ? maskHeldAddress(held) : held))
}

/** Masks a URL, which can start with a reference. Anything else is masked completely. */
export function maskUrl(text: string): string {
  return keepReferences(text, held => (URL_WORDS.test(held) ? maskHeldAddress(held) : hide(held)))
}

function maskArgument(text: string, before: string | undefined): string {
  const read = readArgument(text, before)
  if (read.address !== undefined) return read.name + maskHeldAddress(read.address)
  return read.parts.map(part => (part.isSecret ? hide(part.text) : maskSecrets(part.text))).join('')
}

type Argument =
  | { readonly name: string; readonly address: string }
  | { readonly address?: undefined; readonly parts: readonly TextPart[] }

function readArgument(text: string, before: string | undefined): Argument {
  const [, name = '', value = text] = /^([\w.-]+=)(.+)$/s.exec(text) ?? []
  if (ADDRESS.test(value) || FILLED_ADDRESS.test(value)) return { name, address: value }
  if (ADDRESS.test(text)) return { name: '', address: text }
  if (followsShortFlag(before, text)) return { parts: [{ text, isSecret: true }] }
  const [, flag, attached] = ATTACHED.exec(text) ?? []
  if (flag !== undefined && attached !== undefined)
    return {
      parts: [
        { text: flag, isSecret: false },
        { text: attached, isSecret: true },
      ],
    }
  return { parts: splitSecrets(text, { in: 'args', before }) }
}

/**
 * Matches a password attached to its flag, as in mysql's `-phunter22x`, but not `-p8080:80`, `-p./folder`, `-package`
 * or `-python3`.
 */
const ATTACHED = /^(-p)(?=\S*\d)(?=\S*[a-z])([^\s=:/.@-][^\s=:/]{7,})$/is

/**
 * True if a text follows a short flag and can be a secret. Depending on the program, `-p` means a password, a port, a
 * path or a package, and `-k` a key or a search term.
 */
function followsShortFlag(before: string | undefined, text: string): boolean {
  return (before === '-p' || before === '-k') && !/^(?:[\d:]+$|[-.~/@])/.test(text)
}

const SCHEME = /[a-z\uE000-\uF8FF][\w+.\uE000-\uF8FF-]*:\/\/|[\uE000-\uF8FF]+\/\/|(?=[\uE000-\uF8FF])/.source
const HOST = /(?:\[[\da-f:.]+\]|[\p{L}\p{N}_.\uE000-\uF8FF-]+)(?::[\d\uE000-\uF8FF]*)?/u.source
const URL_WORDS = new RegExp(`^(?:${SCHEME})(?:[^/?#\\s]*@)?${HOST}(?:[/?#].*)?$`, 'isu')
const PARTS = new RegExp(`^(${SCHEME})([^/?#]*@)?([^/?#]*)([^?#]*)(.*)$`, 'is')

function maskHeldAddress(text: string): string {
  const [, scheme, who = '', host = '', path = '', rest = ''] = PARTS.exec(text) ?? []
  if (scheme === undefined) return text
  const shown = /^(?:http|ws|[\uE000-\uF8FF]|$)/i.test(scheme)
    ? path.split('/').map(maskPart).join('/')
    : path
  const values = rest.split(/[?&#]/).map(member => member.slice(member.indexOf('=') + 1))
  const isPlain = values.every(value => ONLY_HELD.test(value))
  return `${scheme}${isOpen(who) ? who : `${MASK}@`}${host}${shown}${isPlain ? rest : `${rest[0]}${MASK}`}`
}

function isOpen(who: string): boolean {
  return ONLY_HELD.test(who.replaceAll(/[:@]/g, ''))
}

function maskPart(part: string): string {
  return looksLikeKey(part) ? MASK : part
}

/** Masks a text, but not a reference to a secret, which is not secret itself and which people need to see. */
function hide(text: string): string {
  return ONLY_HELD.test(text) ? text : MASK
}

function keepReferences(text: string, mask: (text: string) => string): string {
  const references: string[] = []
  const held = text.replaceAll(REFERENCES, reference => {
    references.push(reference)
    return String.fromCharCode(HELD + references.length - 1)
  })
  const masked = mask(held)
  return masked.replaceAll(/[\uE000-\uF8FF]/g, held => references[held.charCodeAt(0) - HELD] ?? held)
}
