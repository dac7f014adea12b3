import type { Reason } from '../policy/facts/facts.ts'
import { isJsonObject, type Json, type RpcError } from '../protocol/messages.ts'
import { META_TAINT } from './check-result.ts'
import type { Taint } from './search-texts.ts'

type ResultFinding = Omit<Taint, 'kind' | 'action'> & {
  readonly kind: string
  readonly action: Taint['action'] | 'blocked'
}

/** The end of a call or another request, with what is needed to report findings. */
type Ended =
  | { readonly kind: 'answered'; readonly result: Json }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'refused'; readonly refusal: { readonly reasons: readonly Reason[] } }
  | { readonly kind: 'cancelled' }

/** Returns what the check of a result found; undefined if it found nothing. */
export function findingsOf(ended: Ended): readonly ResultFinding[] | undefined {
  if (ended.kind === 'answered') return findingsIn(ended.result._meta)
  if (ended.kind === 'error') return findingsIn(ended.error.data)
  return ended.kind === 'refused' ? findingsBehind(ended.refusal.reasons) : undefined
}

/**
 * Returns the findings that the gateway wrote into the `_meta` of a checked result or the `data` of an error. A server
 * cannot write them, because reserved names are removed from what it sends.
 */
export function findingsIn(meta: unknown): readonly Taint[] | undefined {
  const taint = isJsonObject(meta) ? meta[META_TAINT] : undefined
  return isJsonObject(taint) && Array.isArray(taint.findings) ? (taint.findings as Taint[]) : undefined
}

const RESULT = 'result.'

/** Derives the findings about a withheld result from the reasons for the refusal. */
function findingsBehind(reasons: readonly Reason[]): readonly ResultFinding[] | undefined {
  const found = reasons
    .filter(({ rule }) => rule.startsWith(RESULT))
    .map(({ rule, text }) => ({
      ...{ kind: rule.slice(RESULT.length), rule: text, count: 1 },
      action: 'blocked' as const,
    }))
  return found.length === 0 ? undefined : found
}
