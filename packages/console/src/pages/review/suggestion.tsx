import type { ReactNode } from 'react'
import type { ReviewItem } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Section } from '../../parts/section.tsx'
import { VariantBadge } from '../../parts/word-badges.tsx'
import { HINT_ORDER, labelOf, toneOf } from '../../words/hint-words.ts'

type Suggested = NonNullable<ReviewItem['suggestion']>

/** Shows the hints that are inferred from the name, description and schema. */
export function Suggestion({
  suggestion: { hints, variant, variantIfNot },
}: {
  readonly suggestion: Suggested
}): ReactNode {
  const inferred = HINT_ORDER.filter(hint => hints[hint] !== undefined)
  return (
    <Section title="Inferred hints">
      {inferred.length === 0 ? (
        <p className="faint">No hints could be inferred.</p>
      ) : (
        <div className="row-wrap">
          {inferred.map(hint => {
            const value = hints[hint] === true
            return (
              <Badge key={hint} tone={toneOf(hint, value)}>
                {value ? '' : 'not '}
                {labelOf(hint)}
              </Badge>
            )
          })}
        </div>
      )}
      <p className="quiet row-wrap">
        Variant if approved: <VariantBadge variant={variant} />
        {variantIfNot !== variant && (
          <>
            ; without approval: <VariantBadge variant={variantIfNot} />
          </>
        )}
      </p>
    </Section>
  )
}
