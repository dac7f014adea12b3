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
    error: 'not a domain',
    params: { fix: 'use a form such as "example.com", or "*.example.com" for its subdomains' },
  })
const domains = z.array(domain).min(1).max(5000)

/** A group of fields, with the kind of value that tools expect in those fields. */
interface FieldGroup {
  readonly fields: readonly FieldPath[]
  readonly expected: Expected
}

const USUAL_GROUPS: readonly FieldGroup[] = [
  { fields: RECIPIENT_FIELDS, expected: 'recipients' },
  { fields: LINK_FIELDS, expected: 'links' },
  { fields: LINK_LISTS, expected: 'links' },
]

function groupsOf(fields: readonly FieldPath[]): readonly FieldGroup[] {
  if (fields.length === 0) return USUAL_GROUPS
  const groups: readonly FieldGroup[] = [
    { fields: fields.filter(field => !isForLinks(field)), expected: 'recipients' },
    { fields: fields.filter(isForLinks), expected: 'links' },
  ]
  return groups.filter(group => group.fields.length > 0)
}

/**
 * Creates a check that allows only hosts on a list. A value without a readable host is refused, because it is unknown
 * where it leads.
 */
function allowOnly(groups: readonly FieldGroup[], list: readonly string[], words: string): Check {
  const set = createDomainSet(list)
  return reading => {
    const seen: Seen = new Set()
    const isBesideAddress = createBesideAddress(reading)
    for (const { fields, expected } of groups) {
      for (const leaf of reading.leaves(fields)) {
        if (expected === 'recipients' && isBesideAddress(leaf)) continue
        const { path, value } = leaf
        const { domains: found, unreadable } = readTargets(value, { expected, seen, reading })
        if (hasTooMany(seen)) return { field: path, text: TOO_MANY }
        if (unreadable > 0) return { field: path, text: 'is not a readable address, link or domain' }
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
      groupsOf(readFields(params, [])),
      params.domains,
      'names a domain that is not on the allowlist',
    ),
})

export const blockExternal = defineRule({
  name: 'block_external',
  params: { ...fieldParams, internal: domains },
  compile: params =>
    allowOnly(
      [{ fields: readFields(params, RECIPIENT_FIELDS), expected: 'recipients' }],
      params.internal,
      'names a recipient outside the internal domains',
    ),
})

/** A guardrail that blocks domains everywhere: in addresses, links and plain text. */
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
      // IP addresses need their own search, because they have more spellings than names and can even be plain numbers.
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
