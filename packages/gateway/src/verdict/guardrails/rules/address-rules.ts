import { foldLookAlikes, toCompatible } from '@hintgate/metadata'
import { z } from 'zod'
import { createAddressSet } from '../address-set.ts'
import { type Address, hasTooMany, parseAddresses, type Seen, TOO_MANY, unread } from '../addresses.ts'
import { canonicalDomain } from '../domains.ts'
import { EVERYTHING } from '../field-path.ts'
import { RECIPIENT_FIELDS } from '../recipients.ts'
import { defineRule, fieldParams, readFields } from '../rule.ts'

const address = z
  .string()
  .max(320)
  .refine(isAddressPattern, {
    error: 'this is no address',
    params: { fix: 'write for example "ada@example.com" or "*@example.com"' },
  })
const addresses = z.array(address).min(1).max(5000)

function isAddressPattern(pattern: string): boolean {
  const at = pattern.lastIndexOf('@')
  return at > 0 && canonicalDomain(pattern.slice(at + 1).replace(/^\*\./, '')) !== undefined
}

/** Name and host apart, so that no star reaches over the `@`. */
function toPattern(pattern: string): Address {
  const at = pattern.lastIndexOf('@')
  const host = pattern.slice(at + 1)
  const domain = canonicalDomain(host.replace(/^\*\./, '')) ?? ''
  return { local: pattern.slice(0, at).toLowerCase(), domain: host.startsWith('*.') ? `*.${domain}` : domain }
}

/** Addresses that may be written to, exactly as listed. */
export const allowAddresses = defineRule({
  name: 'allow_addresses',
  params: { ...fieldParams, addresses },
  compile: params => {
    const fields = readFields(params, RECIPIENT_FIELDS)
    const isAllowed = createAddressSet(params.addresses.map(toPattern))
    return reading => {
      const seen: Seen = new Set()
      for (const { path, value } of reading.leaves(fields)) {
        const read = parseAddresses(String(value), seen, reading)
        if (hasTooMany(seen)) return { field: path, text: TOO_MANY }
        if (read.unreadable > 0) return { field: path, text: 'cannot be read as an e-mail address' }
        if (!read.addresses.every(isAllowed))
          return { field: path, text: 'names an address that is not on the list of allowed ones' }
      }
      return undefined
    }
  },
})

const ADDRESS_LIKE = /(?<![^\s<>"'(),;:[\]])[^\s<>"'(),;:[\]]{1,64}[@＠﹫][\p{L}\p{N}._-]{1,255}/gu

/** Addresses that must not occur, also with a `+tag`, in another spelling, or in the middle of a text. */
export const blockAddresses = defineRule({
  name: 'block_addresses',
  params: { ...fieldParams, addresses },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    const isBlocked = createAddressSet(params.addresses.map(toPattern).map(appearance))
    return reading => {
      const seen: Seen = new Set()
      for (const { path, value } of reading.texts(fields)) {
        if (!/[@＠﹫]|%40/.test(value)) continue
        const found = scanAddresses(value.replaceAll('%40', '@'), seen)
        if (found.some(isBlocked)) return { field: path, text: 'names a blocked address' }
        if (hasTooMany(seen)) return { field: path, text: TOO_MANY }
      }
      return undefined
    }
  },
})

/** Each as a whole and without what stands before it: in `to=ada@…` the name is ada. */
function scanAddresses(text: string, seen: Seen): readonly Address[] {
  const plain = text.replaceAll(/\p{Cf}/gu, '')
  return Array.from(unread(plain.match(ADDRESS_LIKE) ?? [], seen)).flatMap(written => {
    const [local = '', host = ''] = toCompatible(written).toLowerCase().split('@')
    const domain = canonicalDomain(host.replace(/\.+$/, '')) ?? host
    const tail = /[\p{L}\p{N}._+-]{1,64}$/u.exec(local)?.[0] ?? local
    return [local, tail].map(name => appearance({ local: name.replace(/\+.*$/, ''), domain }))
  })
}

function appearance({ local, domain }: Address): Address {
  return { local: foldLookAlikes(local), domain: foldLookAlikes(domain) }
}
