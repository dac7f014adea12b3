import type { Effect, Fallback, PolicyHit, PolicyResult } from './policy-set.ts'

export interface PolicyVerdict {
  readonly verdict: Effect
  /** The rules that made it so; none where no rule speaks. */
  readonly by: readonly PolicyHit[]
}

/** Any deny wins, then any confirm; where no rule speaks, the default does. */
export function verdictOf({ hits }: PolicyResult, fallback: Fallback): PolicyVerdict {
  const of = (effect: Effect): readonly PolicyHit[] => hits.filter(hit => hit.effect === effect)
  const strictest = (['deny', 'confirm', 'allow'] as const).find(effect => of(effect).length > 0)
  if (strictest === undefined) return { verdict: fallback, by: [] }
  // Under `deny` a question needs an allow beside it, or the answer would open what nobody allowed.
  if (strictest === 'confirm' && fallback === 'deny' && of('allow').length === 0)
    return { verdict: 'deny', by: [] }
  return { verdict: strictest, by: of(strictest) }
}
