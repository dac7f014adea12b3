import { HINT_NAMES, HINTS } from '@hintgate/metadata'
import type { HintName, HintValue } from '../api/client.ts'
import type { Tone } from '../parts/badge.tsx'

export const HINT_ORDER: readonly HintName[] = HINT_NAMES

export function labelOf(hint: HintName): string {
  return HINTS[hint].label
}

/** Returns the hint with this name on the wire: `readOnly` for `readOnlyHint`. */
export function fromWire(wire: string): HintName | undefined {
  return HINT_ORDER.find(hint => HINTS[hint].wire === wire)
}

/** Hints whose strict value needs no warning. */
const PLAIN: ReadonlySet<HintName> = new Set(['readOnly', 'idempotent'])

/** Returns the tone for a value: risky values stand out, and safe values are green. */
export function toneOf(hint: HintName, value: boolean): Tone {
  if (value !== HINTS[hint].strict) return 'good'
  if (PLAIN.has(hint)) return 'neutral'
  return hint === 'destructive' ? 'bad' : 'warn'
}

export const SOURCES: Readonly<
  Record<HintValue['source'], { readonly label: string; readonly about: string }>
> = {
  override: { label: 'override', about: 'by an operator' },
  declared: { label: 'declared', about: 'by the server' },
  inferred: { label: 'inferred', about: 'from name, description and schema' },
  default: { label: 'assumed', about: 'not declared; the strict default applies' },
}
