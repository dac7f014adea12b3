import type { DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import type { Objection } from './objection.ts'
import { idOf } from './review-item.ts'

const DIGITS = /^[0-9a-f]{8,64}$/i

/** A version by the first digits of its fingerprint; without any, the one that the server has now, or had last. */
export function findVersion(stored: StoredDefinition, digits?: string): DefinitionVersion | Objection {
  const { versions, current } = stored
  if (digits === undefined) {
    const last = versions.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)[0]
    return versions.find(({ fingerprint }) => fingerprint === current) ?? last ?? noVersion(stored, 'any')
  }
  if (!DIGITS.test(digits))
    return {
      isUsage: true,
      message: `${JSON.stringify(digits)} is not the beginning of a fingerprint`,
      fix: 'give 8 to 64 hexadecimal digits, as hintgate tools history shows them',
    }
  const found = versions.find(({ fingerprint }) => fingerprint.startsWith(digits.toLowerCase()))
  return found ?? noVersion(stored, digits)
}

function noVersion(stored: StoredDefinition, digits: string): Objection {
  const id = JSON.stringify(idOf(stored))
  return {
    isUsage: false,
    message: `${id} has no version ${digits}`,
    fix: `hintgate tools history ${id} shows them all`,
  }
}
