import { looksLikeKey } from '../text/looks.ts'
import { maskSecrets } from './mask-secrets.ts'
import { type Stretch, splitSecrets } from './split-secrets.ts'

export const MASK = '••••••'

export const REFERENCES = /\$\{(?:env|file):[^}]*\}/g
/** Stand for references while the text around them is looked at. */
const HELD = 0xe000
const ONLY_HELD = /^[\uE000-\uF8FF]*$/
const ADDRESS = /^[a-z][\w+.-]*:\/\//i
/** A reference may stand for the scheme and the host, too: `${env:BASE}/mcp?key=value`. */
const FILLED_ADDRESS = /^[\uE000-\uF8FF][^\s?]*\?[^\s=]+=/

/** The arguments of a program as people may see them; a secret may be told by the argument before it. */
export function maskArguments(args: readonly string[]): readonly string[] {
  return args.map((argument, at) => besideReferences(argument, text => maskArgument(text, args[at - 1])))
}

/** What is masked in arguments, for whoever has to find it elsewhere. Of addresses only what is surely a secret. */
export function findSecretArguments(args: readonly string[]): readonly string[] {
  return args
    .map((argument, at) => readArgument(argument, args[at - 1]))
    .flatMap(read =>
      read.address === undefined ? read.stretches : splitSecrets(read.address, { in: 'url' }),
    )
    .filter(({ isSecret }) => isSecret)
    .map(({ text }) => text)
}

/** Some write the whole line where only the program belongs. */
export function maskCommand(command: string): string {
  return maskArguments(command.split(' ')).join(' ')
}

/** `https://user:password@host/path?key=value` keeps its host, and its path but for keys in it. Other texts stay. */
export function maskAddress(text: string): string {
  return besideReferences(text, held => (ADDRESS.test(held) ? maskHeldAddress(held) : held))
}

/** What should be an address, and may begin with a reference. Of anything else nobody knows where its secrets are. */
export function maskUrl(text: string): string {
  return besideReferences(text, held => (URL_WORDS.test(held) ? maskHeldAddress(held) : hide(held)))
}

function maskArgument(text: string, before: string | undefined): string {
  const read = readArgument(text, before)
  if (read.address !== undefined) return read.name + maskHeldAddress(read.address)
  return read.stretches
    .map(stretch => (stretch.isSecret ? hide(stretch.text) : maskSecrets(stretch.text)))
    .join('')
}

type Argument =
  | { readonly name: string; readonly address: string }
  | { readonly address?: undefined; readonly stretches: readonly Stretch[] }

function readArgument(text: string, before: string | undefined): Argument {
  const [, name = '', value = text] = /^([\w.-]+=)(.+)$/s.exec(text) ?? []
  if (ADDRESS.test(value) || FILLED_ADDRESS.test(value)) return { name, address: value }
  if (ADDRESS.test(text)) return { name: '', address: text }
  if (isShort(before, text)) return { stretches: [{ text, isSecret: true }] }
  const [, flag, attached] = ATTACHED.exec(text) ?? []
  if (flag !== undefined && attached !== undefined)
    return {
      stretches: [
        { text: flag, isSecret: false },
        { text: attached, isSecret: true },
      ],
    }
  return { stretches: splitSecrets(text, { in: 'args', before }) }
}

/** `-phunter22x`, as mysql takes it; not `-p8080:80`, `-p./folder`, `-package` or `-python3`. */
const ATTACHED = /^(-p)(?=\S*\d)(?=\S*[a-z])([^\s=:/.@-][^\s=:/]{7,})$/is

/** `-p` is a password to some programs, a port, a path or a package to others; so is `-k` a key, or a word to look for. */
function isShort(before: string | undefined, text: string): boolean {
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

/** What refers to a secret is none, and people want to see it. */
function hide(text: string): string {
  return ONLY_HELD.test(text) ? text : MASK
}

function besideReferences(text: string, mask: (text: string) => string): string {
  const references: string[] = []
  const held = text.replaceAll(REFERENCES, reference => {
    references.push(reference)
    return String.fromCharCode(HELD + references.length - 1)
  })
  const masked = mask(held)
  return masked.replaceAll(/[\uE000-\uF8FF]/g, held => references[held.charCodeAt(0) - HELD] ?? held)
}
