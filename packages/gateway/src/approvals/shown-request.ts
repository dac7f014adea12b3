import type { EffectiveHints } from '@hintgate/metadata'
import { HINT_NAMES, type HintName, type RiskView, type Source } from '@hintgate/metadata'
import type { Reason } from '../policy/facts/facts.ts'
import type { Remember } from '../policy/rules.ts'
import type { Bindings } from './binding.ts'
import { shorten } from './shorten.ts'

/** What a person who is asked gets to see, and what their answer may be good for. */
export interface ShownRequest {
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly title: string
  readonly action: string
  readonly variant: string
  /** Secrets masked. */
  readonly arguments: unknown
  /** What the call carries besides them. */
  readonly others?: unknown
  readonly hints: Readonly<Record<HintName, { readonly value: boolean; readonly source: Source }>>
  readonly reasons: readonly Reason[]
  readonly session_risk: RiskView
  /** What would change, in the words of the tool itself. */
  readonly preview?: string
  /** Not all of the arguments, or of the others, was kept. */
  readonly isCut?: true
  readonly remember: readonly Remember[]
  /** What a lasting answer is bound to. */
  readonly standing: Pick<Bindings, 'arguments' | 'session'>
}

export function showHints(effective: EffectiveHints): ShownRequest['hints'] {
  const entries = HINT_NAMES.map(name => {
    const { value, source } = effective[name]
    return [name, { value, source }]
  })
  return Object.fromEntries(entries) as ShownRequest['hints']
}

/** Written by us and kept in our own store. */
export function readShown(text: string): ShownRequest {
  return JSON.parse(text) as ShownRequest
}

/** Of the arguments, and of the others, of what somebody has allowed already. */
const MOST_REMEMBERED = 1000

/** What is kept of it when the answer is: what it is bound to, and enough to know it again. */
export function shortenShown(text: string): string {
  const shown = readShown(text)
  const args = shorten(shown.arguments, MOST_REMEMBERED)
  const others = shown.others === undefined ? undefined : shorten(shown.others, MOST_REMEMBERED)
  const isCut = shown.isCut === true || args.isCut || others?.isCut === true
  const kept: ShownRequest = {
    ...shown,
    arguments: args.value,
    ...(others === undefined ? {} : { others: others.value }),
    ...(isCut ? { isCut } : {}),
  }
  return JSON.stringify(kept)
}
