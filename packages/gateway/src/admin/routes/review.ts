import type { HintValues } from '@hintgate/metadata'
import { hasFingerprint, idOf } from '../../catalog/review/review-item.ts'
import type { DefinitionReview, Review } from '../../store/store.ts'
import type { Input, Tool } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { type Handlers, pageOf, requireMatch } from '../http/handler.ts'
import { AdminProblem } from '../http/problem.ts'
import { describeTool } from '../views/describe-tool.ts'
import { describeWaiting } from '../views/describe-waiting.ts'
import type { Table, ToolTable } from '../views/tool-table.ts'
import { findRow, type Named } from './tools.ts'

export function createReviewHandlers({ store }: AdminDeps, tools: ToolTable) {
  return {
    async listReview({ query }) {
      const table = await tools.load()
      return pageOf(findListed(table, query), query, item => describeWaiting(item, table))
    },
    async reviewMany({ body: { items, note } }, { principal }) {
      const by = { by: principal.name, at: Date.now(), note }
      const reviews = items.map(({ verdict, ...rest }): DefinitionReview => {
        return { ...rest, review: { verdict: verdict === 'approve' ? 'approved' : 'rejected', ...by } }
      })
      const nameless = reviews.filter(isNameless)
      const late = await store.definitions.reviewAll(reviews.filter(review => !isNameless(review)))
      tools.forget()
      return {
        done: reviews.length - nameless.length - late.length,
        refused: [
          ...nameless.map(review =>
            refuse(review, 'the definition has no fingerprint, so it cannot be approved'),
          ),
          ...late.map(review => refuse(review, 'the definition has changed since you loaded it')),
        ],
      }
    },
  } satisfies Partial<Handlers>
}

export function findWaiting({ desk }: Table) {
  return desk.items.filter(item => desk.servers.has(item.stored.server) && WAITS.has(item.state))
}

const WAITS: ReadonlySet<string> = new Set(['pending', 'changed'])

/**
 * Lists notices and definitions that wait for review. Rejected and disabled definitions are included only on request.
 */
function findListed({ desk }: Table, { server, kind, state }: Input<'listReview'>['query']) {
  return desk.items.filter(
    item =>
      desk.servers.has(item.stored.server) &&
      (state === undefined ? WAITS.has(item.state) || item.notice !== undefined : item.state === state) &&
      (server ?? item.stored.server) === item.stored.server &&
      (kind ?? item.stored.kind) === item.stored.kind,
  )
}

/**
 * True for an approval without a fingerprint. It is refused, because the definition could have been swapped unnoticed.
 */
function isNameless({ fingerprint, review }: DefinitionReview): boolean {
  return review.verdict === 'approved' && !/^[0-9a-f]{64}$/.test(fingerprint)
}

function refuse({ server, kind, name }: DefinitionReview, why: string) {
  return { server, kind, name, why }
}

export function createOverrideHandlers({ store }: AdminDeps, tools: ToolTable) {
  const show = async (named: Named): Promise<Tool> => {
    tools.forget()
    const table = await tools.load()
    return describeTool(findRow(table, named), table.scans)
  }
  const set = async ({ server, name }: Named, hints: HintValues, by: string): Promise<void> => {
    const at = Date.now()
    if (Object.keys(hints).length > 0) await store.overrides.set({ server, tool: name, hints, by, at })
    else await store.overrides.remove(server, name, { by, at })
  }
  const disable = async (named: Named, isDisabled: boolean): Promise<Tool> => {
    if (!(await store.definitions.disable({ ...named, kind: 'tool' }, isDisabled)))
      throw new AdminProblem('not_found', `There is no tool ${idOf(named)}.`)
    return show(named)
  }
  return {
    async setOverride({ params, body }, { principal, match }) {
      requireMatch(match, (await show(params)).etag)
      await set(params, body.hints, principal.name)
      return show(params)
    },
    async removeOverride({ params }, { principal, match }) {
      requireMatch(match, (await show(params)).etag)
      await set(params, {}, principal.name)
      return show(params)
    },
    async overrideTools({ body: { targets, hints } }, { principal }) {
      const { byId } = await tools.load()
      const unknown = targets.filter(target => !byId.has(idOf(target)))
      const known = targets.filter(target => byId.has(idOf(target)))
      for (const target of known) {
        const before = byId.get(idOf(target))?.override
        await set(target, { ...before, ...hints }, principal.name)
      }
      tools.forget()
      const refused = unknown.map(target => ({ id: idOf(target), why: 'the tool does not exist' }))
      return { done: known.length, refused }
    },
    async reviewTool({ params, body }, { principal }) {
      const { item } = findRow(await tools.load(), params)
      const verdict = body.verdict === 'approve' ? 'approved' : 'rejected'
      if (verdict === 'approved' && !hasFingerprint(item.current))
        throw new AdminProblem('refused', 'The definition has no fingerprint, so it cannot be approved.')
      const review: Review = { verdict, by: principal.name, at: Date.now(), note: body.note }
      if (!(await store.definitions.review({ ...params, kind: 'tool' }, body.fingerprint, review)))
        throw new AdminProblem(
          'changed_meanwhile',
          'The server now offers a different version of this definition. Review that version first.',
        )
      return show(params)
    },
    disableTool: ({ params }) => disable(params, true),
    enableTool: ({ params }) => disable(params, false),
  } satisfies Partial<Handlers>
}
