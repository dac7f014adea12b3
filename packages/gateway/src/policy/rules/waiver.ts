import type { Reason } from '../facts/facts.ts'

/** A waiver that applies to a call: the questions of the rules that it names are not asked. */
export interface Waiver {
  readonly id: string
  /** The rules whose questions the waiver removes, by their full names. */
  readonly waives: readonly string[]
  readonly author: string
  /** The time from which the waiver no longer applies, in milliseconds since the epoch. */
  readonly expires: number
  readonly reason: string
  /** `file:line`. */
  readonly source: string
}

/** The rules of the gateway itself that can ask, and whose questions a waiver can name. */
export const OWN_QUESTIONS = [
  'confirm.read',
  'confirm.write',
  'confirm.destructive',
  'session.trifecta',
  'session.irreversible_egress',
  'provenance.target',
  'provenance.occasion',
  'provenance.kind',
] as const

/**
 * Says why a person is not asked.
 *
 * @example
 * sayWaived('confirm.destructive', waiver).text // => 'not asked (confirm.destructive), because waiver clear-cart of ada applies until 2026-12-19T00:00:00Z'
 */
export function sayWaived(rule: string, { id, author, expires, source }: Waiver): Reason {
  const until = `${new Date(expires).toISOString().slice(0, 19)}Z`
  const text = `not asked (${rule}), because waiver ${id} of ${author} applies until ${until}`
  return { rule: `policy.${id}`, source, text }
}
