import type { ReviewItem } from '../catalog/review/review-item.ts'
import type { DoctorFinding } from './finding.ts'

/** What waits for somebody to look at it, server by server. */
export function checkReview(
  items: readonly ReviewItem[],
  servers: ReadonlySet<string>,
): readonly DoctorFinding[] {
  return [...servers].flatMap(server => {
    const own = items.filter(({ stored }) => stored.server === server)
    const [fresh, changed] = [countOf(own, 'pending'), countOf(own, 'changed')]
    if (fresh + changed === 0) return []
    const parts = [...(fresh > 0 ? [`${fresh} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])]
    const finding: DoctorFinding = {
      code: 'review_waiting',
      level: 'warning',
      server,
      text: `${server}: ${fresh + changed} of its definitions wait for review (${parts.join(', ')}), and nobody can use them`,
      fix: `hintgate tools review --server ${server}`,
    }
    return [finding]
  })
}

function countOf(items: readonly ReviewItem[], state: ReviewItem['state']): number {
  return items.filter(item => item.state === state).length
}
