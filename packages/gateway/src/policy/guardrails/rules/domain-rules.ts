import { z } from 'zod'
import type { FieldPath } from '../../../protocol/field-path.ts'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { hasTooMany, type Seen, TOO_MANY } from '../values/addresses.ts'
import { createBesideAddress } from '../values/beside-address.ts'
import { createDomainSet, isDomainPattern, scanDomains } from '../values/domains.ts'
import { readIpAddress, scanIpAddresses } from '../values/ip-addresses.ts'
import { type Check, defineRule, fieldParams, readFields } from '../values/rule.ts'
import { type Expected, readTargets } from '../values/targets.ts'
import { HOST_FIELDS, isForLinks, LINK_FIELDS, LINK_LISTS, RECIPIENT_FIELDS } from '../values/usual-fields.ts'

const domain = z
  .string()
  .min(1)
  .max(255)
  .refine(isDomainPattern, {
    error: 'this is no domain',
    params: { fix: 'write for example "example.com", or "*.example.com" for everything below it' },
  })
const domains = z.array(domain).min(1).max(5000)

/** Fields, and what tools look for in them. */
interface Place {
  readonly fields: readonly FieldPath[]
  readonly expected: Expected
}

const USUAL_PLACES: readonly Place[] = [
  { fields: RECIPIENT_FIELDS, expected: 'recipients' },
  { fields: LINK_FIELDS, expected: 'links' },
  { fields: LINK_LISTS, expected: 'links' },
]

function placesOf(fields: readonly FieldPath[]): readonly Place[] {
  if (fields.length === 0) return USUAL_PLACES
  const places: readonly Place[] = [
    { fields: fields.filter(field => !isForLinks(field)), expected: 'recipients' },
    { fields: fields.filter(isForLinks), expected: 'links' },
  ]
  return places.filter(place => place.fields.length > 0)
}

/** Every host must be on the list; a value that no host can be read from is refused, because nobody knows where it leads. */
function allowOnly(places: readonly Place[], list: readonly string[], words: string): Check {
  const set = createDomainSet(list)
  return reading => {
    const seen: Seen = new Set()
    const isBesideAddress = createBesideAddress(reading)
    for (const { fields, expected } of places) {
      for (const leaf of reading.leaves(fields)) {
        if (expected === 'recipients' && isBesideAddress(leaf)) continue
        const { path, value } = leaf
        const { domains: found, unreadable } = readTargets(value, { expected, seen, reading })
        if (hasTooMany(seen)) return { field: path, text: TOO_MANY }
        if (unreadable > 0) return { field: path, text: 'cannot be read as an address, link or domain' }
        if (!found.every(set.allows)) return { field: path, text: words }
      }
    }
    return undefined
  }
}

export const allowDomains = defineRule({
  name: 'allow_domains',
  params: { ...fieldParams, domains },
  compile: params =>
    allowOnly(
      placesOf(readFields(params, [])),
      params.domains,
      'leads to a domain that is not on the list of allowed ones',
    ),
})

export const blockExternal = defineRule({
  name: 'block_external',
  params: { ...fieldParams, internal: domains },
  compile: params =>
    allowOnly(
      [{ fields: readFields(params, RECIPIENT_FIELDS), expected: 'recipients' }],
      params.internal,
      'names a recipient outside the own domains',
    ),
})

/** Domains that must not occur anywhere: in addresses, links or plain text. */
export const blockDomains = defineRule({
  name: 'block_domains',
  params: { ...fieldParams, domains },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    const set = createDomainSet(params.domains)
    const addresses = new Set(params.domains.flatMap(one => readIpAddress(one) ?? []))
    const named = { among: fields, isHost: fields !== EVERYTHING }
    const places = named.isHost ? [named] : [named, { among: HOST_FIELDS, isHost: true }]
    return reading => {
      for (const { path, value } of reading.texts(fields)) {
        if (scanDomains(value, reading).some(set.catches)) return { field: path, text: NAMED }
      }
      if (addresses.size === 0) return undefined
      // An address has more spellings than a name has, and is a plain number, too.
      for (const { among, isHost } of places)
        for (const { path, value } of reading.withLinks(reading.leaves(among))) {
          if (scanIpAddresses({ text: String(value), isHost }, reading).some(one => addresses.has(one)))
            return { field: path, text: NAMED }
        }
      return undefined
    }
  },
})

const NAMED = 'names a blocked domain'
