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

/** Splits a pattern into the name and the host, so that a `*` cannot match across the `@`. */
function toPattern(pattern: string): Address {
  const at = pattern.lastIndexOf('@')
  const host = pattern.slice(at + 1)
  const domain = canonicalDomain(host.replace(/^\*\./, '')) ?? ''
  return { local: pattern.slice(0, at).toLowerCase(), domain: host.startsWith('*.') ? `*.${domain}` : domain }
}

/** A guardrail that allows only recipients on a list. */
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
/** Maximum number of characters to read before an `@`. The part of a real address before the `@` is shorter. */
const LONGEST_LOCAL = 320
const BREAK = /[\s<>"'(),;:[\]]+/
const NO_NAME = /[^\p{L}\p{N}._+-]+/u

/** A guardrail that blocks addresses, even with a `+tag`, in another spelling, or in the middle of a text. */
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
  // URL parsers drop tabs and line breaks, so a link is also read without them.
  const both = isMailto(text.trimStart()) ? `${text} ${text.replaceAll(/[\t\r\n]+/g, '')}` : text
  return decodeEscapes(both)
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(OTHER_DOTS, '.')
    .replaceAll(/[＠﹫]/g, '@')
}

/** Mail programs ignore comments, and blanks around the `@`: `press(x) @ example.com`. */
const COMMENT = /\([^()@]{0,100}\)/g
const BLANKS_AROUND = /(?<!\s)\s{1,100}(?=@)|(?<=@)\s{1,100}/g
const NEEDS_CLEANING = /[\s)]@|@[\s(]|\\/

/**
 * Returns the text, followed by the text as mail programs read it: without comments, blanks around the `@`, and
 * backslashes (`p\ress`).
 */
function withBareAddresses(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  return `${text} ${text.replaceAll(COMMENT, '').replaceAll('\\', '').replaceAll(BLANKS_AROUND, '')}`
}

/**
 * Reads each address twice: with all characters before the `@`, and with only the last word of them. In `to=ada@…`, for
 * example, the name is `ada`.
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

/** Finds addresses by reading from each `@` forwards to the end of the host, and backwards to a separator. */
function* findAddresses(text: string): Generator<string> {
  for (const { index, 0: host } of text.matchAll(HOST)) {
    const before = text.slice(Math.max(0, index - LONGEST_LOCAL), index)
    // The name can be in quotes, or have a blank after it.
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
