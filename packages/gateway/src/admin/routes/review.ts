import type { DefinitionReview } from '../../store/store.ts'
import type { Input } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { pageOf } from '../http/page.ts'
import { describeWaiting } from '../views/describe-waiting.ts'
import type { Table, ToolTable } from '../views/tool-table.ts'

/** What waits for somebody to look at it, of every kind. */
export function createReviewHandlers(
  { store }: AdminDeps,
  tools: ToolTable,
): Pick<Handlers, 'listReview' | 'reviewMany'> {
  return {
    async listReview({ query }) {
      const table = await tools.load()
      return pageOf(findWaiting(table, query), query, item => describeWaiting(item, table))
    },
    async reviewMany({ body: { items, note } }, { principal }) {
      const by = { by: principal.name, at: Date.now(), ...(note === undefined ? {} : { note }) }
      const reviews = items.map(({ verdict, ...rest }): DefinitionReview => {
        return { ...rest, review: { verdict: verdict === 'approve' ? 'approved' : 'rejected', ...by } }
      })
      const nameless = reviews.filter(isNameless)
      const late = await store.definitions.reviewAll(reviews.filter(review => !isNameless(review)))
      tools.forget()
      return {
        done: reviews.length - nameless.length - late.length,
        refused: [
          ...nameless.map(review => refuse(review, 'it has no fingerprint, so it cannot be approved')),
          ...late.map(review => refuse(review, 'it has changed since you looked')),
        ],
      }
    },
  }
}

/** What was rejected or switched off waits for nobody, unless somebody asks for it. */
export function findWaiting({ desk }: Table, { server, kind, state }: Input<'listReview'>['query'] = {}) {
  const states: readonly string[] = state === undefined ? ['pending', 'changed'] : [state]
  return desk.items.filter(
    item =>
      desk.servers.has(item.stored.server) &&
      states.includes(item.state) &&
      (server ?? item.stored.server) === item.stored.server &&
      (kind ?? item.stored.kind) === item.stored.kind,
  )
}

/** What cannot be told from others of its kind could be swapped unseen. */
function isNameless({ fingerprint, review }: DefinitionReview): boolean {
  return review.verdict === 'approved' && !/^[0-9a-f]{64}$/.test(fingerprint)
}

function refuse({ server, kind, name }: DefinitionReview, why: string) {
  return { server, kind, name, why }
}
