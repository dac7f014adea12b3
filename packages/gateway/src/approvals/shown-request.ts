import type { EffectiveHints } from '@hintgate/metadata'
import { HINT_NAMES, type HintName, type RiskView, type Source } from '@hintgate/metadata'
import type { Reason } from '../verdict/facts.ts'
import type { Remember } from '../verdict/rules.ts'
import type { Bindings } from './binding.ts'

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
