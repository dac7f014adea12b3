import type { Exchange } from '../../../exchange/exchange.ts'
import type { Outcome } from '../../../exchange/outcome.ts'
import type { Answer } from '../../../exchange/surface.ts'
import type { Claim } from '../../../policy/facts/intent.ts'
import type { Json } from '../../../protocol/messages.ts'
import { answerJson, type FindingTools, isUnknown, refuse, type SearchDeps } from './finding-tools.ts'
import { type ReadBatch, readInParallel } from './read-in-parallel.ts'

/**
 * Maximum number of unknown names in a batch that get a suggestion. A caller that misspells every name learns enough
 * from two.
 */
const SUGGESTIONS = 2

interface BatchContext {
  /** Makes one tool call, with all of its checks. */
  readonly call: (exchange: Exchange, args: Json, claim: Claim) => Promise<Outcome>
  readonly finding: FindingTools
  readonly deps: SearchDeps
}

export async function answerBatch(
  exchange: Exchange,
  batch: ReadBatch,
  { call, finding, deps }: BatchContext,
): Promise<Answer> {
  let suggestions = SUGGESTIONS
  const outcome = await readInParallel(exchange, batch, {
    callPart: async (part, { name, args }, claim) => {
      const outcome = await call(part, { name, args }, claim)
      return isUnknown(outcome) && suggestions-- > 0 ? finding.explain(part, name, outcome) : outcome
    },
    deps,
  })
  const { serverInfo } = deps
  if (outcome.kind === 'cancelled') return { cancelled: true }
  return outcome.kind === 'refused'
    ? refuse({ serverInfo }, exchange.caller, outcome.refusal)
    : answerJson({ serverInfo }, exchange.caller, outcome.answer)
}
