import { looksLikeKey } from '../text/looks.ts'
import { maskSecrets } from './mask-secrets.ts'
import { splitSecrets, type TextPart } from './split-secrets.ts'

export const MASK = '••••••'

export const REFERENCES = /\$\{(?:env|file):[^}]*\}/g
/** The first of the private-use characters that replace references while the text around them is checked. */
const HELD = 0xe000
const ONLY_HELD = /^[\uE000-\uF8FF]*$/
const ADDRESS = /^[a-z][\w+.-]*:\/\//i
/** A reference may contain scheme and host: `${env:BASE}/mcp?key=value`. */
const FILLED_ADDRESS = /^[\uE000-\uF8FF][^\s?]*\?[^\s=]+=/

/** The arguments of a program with secrets masked. The argument before a value may identify it as a secret. */
export function maskArguments(args: readonly string[]): readonly string[] {
  return args.map((argument, at) => keepReferences(argument, text => maskArgument(text, args[at - 1])))
}

/** The secrets in arguments, to find them elsewhere. In URLs, only certain secrets. */
export function findSecretArguments(args: readonly string[]): readonly string[] {
  return args
    .map((argument, at) => readArgument(argument, args[at - 1]))
    .flatMap(read => (read.address === undefined ? read.parts : splitSecrets(read.address, { in: 'url' })))
    .filter(({ isSecret }) => isSecret)
    .map(({ text }) => text)
}

/** Some configs contain the whole command line in `command`. */
export function maskCommand(command: string): string {
  return maskArguments(command.split(' ')).join(' ')
}

/** Masks `https://user:password@host/path?key=value` except for the host and the path, in which only keys are masked. Other texts are unchanged. */
export function maskAddress(text: string): string {
  return keepReferences(text, held => (ADDRESS.test(held) ? maskHeldAddress(held) : held))
}

/** Masks a URL that may start with a reference. Anything else is masked completely. */
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

/** `-phunter22x`, as mysql takes it; not `-p8080:80`, `-p./folder`, `-package` or `-python3`. */
const ATTACHED = /^(-p)(?=\S*\d)(?=\S*[a-z])([^\s=:/.@-][^\s=:/]{7,})$/is

/** `-p` is a password, a port, a path or a package, and `-k` a key or a search term, depending on the program. */
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

/** A reference to a secret is not a secret, and people need to see it. */
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
