import type { AssessedItem } from '../catalog/review/assess-items.ts'
import { idOf, isRule } from '../catalog/review/review-item.ts'
import type { DoctorFinding } from './finding.ts'

/** Promises of tools that their own words deny. What a person approved as it is was looked at, so it is told and no more. */
export function checkContradictions(assessed: readonly AssessedItem[]): readonly DoctorFinding[] {
  return assessed.flatMap(({ item, contradictions }) =>
    contradictions.map(({ hint, text }): DoctorFinding => {
      const id = idOf(item.stored)
      return {
        code: 'contradiction',
        level: isAccepted(item) ? 'info' : 'warning',
        server: item.stored.server,
        text: `${id}: ${text}`,
        fix: `hintgate tools diff ${JSON.stringify(id)}; if its words are right: hintgate tools override ${JSON.stringify(id)} --set ${hint}=${hint === 'readOnlyHint' ? 'false' : 'true'}`,
      }
    }),
  )
}

function isAccepted({ state, current }: AssessedItem['item']): boolean {
  return state === 'approved' && current.review !== undefined && !isRule(current.review.by)
}
