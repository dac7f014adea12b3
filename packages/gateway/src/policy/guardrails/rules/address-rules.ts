import { foldLookAlikes, toCompatible } from '@hintgate/metadata'
import { z } from 'zod'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { decodeEscapes } from '../../facts/escapes.ts'
import { isMailto } from '../../facts/mailto.ts'
import {
  type Address,
  createAddressSet,
  hasTooMany,
  parseAddresses,
  type Seen,
  TOO_MANY,
  unread,
} from '../values/addresses.ts'
import { createBesideAddress } from '../values/beside-address.ts'
import { canonicalDomain, OTHER_DOTS } from '../values/domains.ts'
import { COST, countOf } from '../values/effort.ts'
import { defineFieldRule } from '../values/rule.ts'
import { RECIPIENT_FIELDS } from '../values/usual-fields.ts'

const address = z
  .string()
  .max(320)
  .refine(isAddressPattern, {
    error: 'not an e-mail address',
    params: { fix: 'use a form such as "ada@example.com" or "*@example.com"' },
  })
const addresses = z.array(address).min(1).max(5000)

function isAddressPattern(pattern: string): boolean {
  const at = pattern.lastIndexOf('@')
  return at > 0 && canonicalDomain(pattern.slice(at + 1).replace(/^\*\./, '')) !== undefined
}

/** Splits a pattern into name and host, so that a star does not match across the `@`. */
function toPattern(pattern: string): Address {
  const at = pattern.lastIndexOf('@')
  const host = pattern.slice(at + 1)
  const domain = canonicalDomain(host.replace(/^\*\./, '')) ?? ''
  return { local: pattern.slice(0, at).toLowerCase(), domain: host.startsWith('*.') ? `*.${domain}` : domain }
}

/** Allows only recipients that are on the list. */
export const allowAddresses = defineFieldRule({
  name: 'allow_addresses',
  fields: RECIPIENT_FIELDS,
  looksAt: 'leaves',
  params: { addresses },
  compile: params => {
    const isAllowed = createAddressSet(params.addresses.map(toPattern))
    return reading => {
      const seen: Seen = new Set()
      const isBesideAddress = createBesideAddress(reading)
      return leaf => {
        if (isBesideAddress(leaf)) return undefined
        const read = parseAddresses(String(leaf.value), seen, reading)
        if (hasTooMany(seen)) return TOO_MANY
        if (read.unreadable > 0) return 'cannot be read as an e-mail address'
        const isListed = read.addresses.every(isAllowed)
        return isListed ? undefined : 'contains an address that is not on the allowlist'
      }
    }
  },
})

const AN_AT = /[@＠﹫]|%(?:40|EF%BC%A0|EF%B9%AB)/i
const HOST = /@[\p{L}\p{N}._-]{1,255}/gu
/** The number of characters examined before an `@`; local parts are shorter. */
const LONGEST_LOCAL = 320
const BREAK = /[\s<>"'(),;:[\]]+/
const NO_NAME = /[^\p{L}\p{N}._+-]+/u

/** Blocks addresses, even with a `+tag`, in another spelling, or in the middle of a text. */
export const blockAddresses = defineFieldRule({
  name: 'block_addresses',
  fields: EVERYTHING,
  looksAt: 'texts',
  params: { addresses },
  compile: params => {
    const isBlocked = createAddressSet(params.addresses.map(toPattern).map(appearance))
    return reading => {
      const seen: Seen = new Set()
      return ({ value }) => {
        if (!AN_AT.test(value) || !reading.spend(COST.escape * countOf('%', value))) return undefined
        const spelt = toOneSpelling(value)
        if (!reading.spend(COST.item * countOf('@', spelt))) return undefined
        const text = withBareAddresses(spelt)
        if (text !== spelt && !reading.spend(spelt.length + COST.item * countOf('@', spelt))) return undefined
        if (scanAddresses(text, seen).some(isBlocked)) return 'contains a blocked address'
        return hasTooMany(seen) ? TOO_MANY : undefined
      }
    }
  },
})

function toOneSpelling(text: string): string {
  // URL parsers drop tabs and line breaks.
  const both = isMailto(text.trimStart()) ? `${text} ${text.replaceAll(/[\t\r\n]+/g, '')}` : text
  return decodeEscapes(both)
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(OTHER_DOTS, '.')
    .replaceAll(/[＠﹫]/g, '@')
}

/** Mailers ignore comments and blanks around the `@`: `press(x) @ example.com`. */
const COMMENT = /\([^()@]{0,100}\)/g
const BLANKS_AROUND = /(?<!\s)\s{1,100}(?=@)|(?<=@)\s{1,100}/g
const NEEDS_CLEANING = /[\s)]@|@[\s(]|\\/

/** The text, followed by the text as mailers read it: without comments, blanks around `@`, and backslashes (`p\ress`). */
function withBareAddresses(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  return `${text} ${text.replaceAll(COMMENT, '').replaceAll('\\', '').replaceAll(BLANKS_AROUND, '')}`
}

/**
 * Reads each address twice, with its whole local part and with only the last word of it: in `to=ada@…` the name is ada.
 */
function scanAddresses(text: string, seen: Seen): readonly Address[] {
  return Array.from(unread(findAddresses(text), seen)).flatMap(written => {
    const at = written.lastIndexOf('@')
    const local = toCompatible(written.slice(0, at)).toLowerCase()
    const host = toCompatible(written.slice(at + 1)).toLowerCase()
    const domain = canonicalDomain(host.replace(/\.+$/, '')) ?? host
    const tail = local.split(NO_NAME).at(-1) ?? local
    return [local, tail].map(name => appearance({ local: name.replace(/\+.*$/, ''), domain }))
  })
}

/** Expands each `@` forwards to the end of the host and backwards to a separator. */
function* findAddresses(text: string): Generator<string> {
  for (const { index, 0: host } of text.matchAll(HOST)) {
    const before = text.slice(Math.max(0, index - LONGEST_LOCAL), index)
    // A quoted name, or one followed by a blank, is still the name.
    const local = before
      .replace(/["']?\s?$/, '')
      .split(BREAK)
      .at(-1)
    if (local) yield `${local}${host}`
  }
}

function appearance({ local, domain }: Address): Address {
  return { local: foldLookAlikes(local), domain: foldLookAlikes(domain) }
}
