import type { ToolDefinition } from '../definition/tool-definition.ts'
import { type Facts, gatherFacts } from './gather-facts.ts'
import type { Evidence, Inference, Judgement } from './inference.ts'
import {
  addContext,
  judgeDestructive,
  judgeIdempotent,
  judgeReadOnly,
  type WeighedVerb,
  weighVerbs,
} from './judge-effects.ts'
import { findOpaque, judgeOperations } from './judge-operations.ts'
import { readDomains } from './read-domains.ts'
import { learnSiblings } from './siblings.ts'
import { judge, Tally, toChance, toLogOdds } from './tally.ts'

/**
 * Infers what a tool does from its name, title, description and schemas, and from its siblings on the same
 * server. It ignores annotations, so that it is independent of them. Every judgement has a confidence and the
 * words that it is based on. It never throws, whatever the definition contains.
 *
 * @example
 * import { inferTool } from '@hintgate/metadata'
 * const { destructive } = inferTool({ name: 'delete_file', description: 'Deletes a file for good.' })
 * destructive.value // => true
 * destructive.evidence[0]?.rule // => 'verb.delete'
 */
export function inferTool(definition: ToolDefinition, siblings?: readonly ToolDefinition[]): Inference {
  const facts = gatherFacts(definition, learnSiblings(siblings))
  const verbs = weighVerbs(facts)
  const opaque = findOpaque(facts, verbs)
  const readOnly = judgeReadOnly(facts, verbs, opaque)
  return {
    operations: judgeOperations(facts, verbs, { readOnly, opaque }),
    readOnly,
    destructive: concludeDestructive(facts, verbs, { readOnly, opaque }),
    idempotent: concludeIdempotent(facts, verbs, { readOnly, opaque }),
    openWorld: judgeOpenWorld(facts),
    ...judgeRisks(facts, verbs, readOnly),
    domains: readDomains(facts.nameWords, facts.stream.words),
  }
}

interface Known {
  readonly readOnly: Judgement<boolean>
  readonly opaque: Evidence | undefined
}

function concludeDestructive(facts: Facts, verbs: readonly WeighedVerb[], known: Known): Judgement<boolean> {
  if (known.readOnly.value) return judge(false, known.readOnly.confidence, known.readOnly.evidence)
  const tally = judgeDestructive(facts, verbs)
  if (known.opaque !== undefined) tally.add(1.2, known.opaque)
  return concludeTally(tally)
}

function concludeIdempotent(facts: Facts, verbs: readonly WeighedVerb[], known: Known): Judgement<boolean> {
  if (known.readOnly.value) return judge(true, known.readOnly.confidence * 0.95, known.readOnly.evidence)
  const tally = judgeIdempotent(facts, verbs)
  if (known.opaque !== undefined) tally.add(-1, known.opaque)
  return concludeTally(tally)
}

function concludeTally(tally: Tally): Judgement<boolean> {
  const chance = toChance(tally.score)
  return judge(chance > 0.5, Math.max(chance, 1 - chance), tally.evidence)
}

function judgeOpenWorld(facts: Facts): Judgement<boolean> {
  const tally = new Tally(toLogOdds(0.55))
  addContext(facts, tally, 'openWorld')
  return concludeTally(tally)
}

/** Hints beyond the specification, only if there is evidence. */
function judgeRisks(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  readOnly: Judgement<boolean>,
): Pick<Inference, 'reversible' | 'egress' | 'sensitive'> {
  const main = verbs[0]
  const egress: Evidence[] = []
  const sensitive: Evidence[] = []
  if (!readOnly.value && main?.rule.egress === true) egress.push(main.reason)
  for (const { rule, parameter } of facts.parameters) {
    if (rule.egress === true && !readOnly.value)
      egress.push({ rule: rule.id, from: 'parameter', text: parameter.name })
    if (rule.sensitive === true) sensitive.push({ rule: rule.id, from: 'parameter', text: parameter.name })
  }
  for (const { rule, text, turned } of facts.phrases) {
    if (rule.sensitive === true && !turned) sensitive.push({ rule: rule.id, from: 'description', text })
  }
  const reversible = readOnly.value ? undefined : judgeReversible(facts, main)
  return {
    ...(reversible === undefined ? {} : { reversible }),
    ...(egress.length === 0 ? {} : { egress: judge(true, main?.rule.egress === true ? 0.85 : 0.65, egress) }),
    ...(sensitive.length === 0 ? {} : { sensitive: judge(true, 0.6, sensitive) }),
  }
}

function judgeReversible(facts: Facts, main: WeighedVerb | undefined): Judgement<boolean> | undefined {
  for (const { rule, text, turned } of facts.phrases) {
    if (rule.reversible === undefined || turned) continue
    return judge(rule.reversible, 0.85, [{ rule: rule.id, from: 'description', text }])
  }
  if (main?.rule.reversible === undefined) return undefined
  return judge(main.rule.reversible, 0.65, [main.reason])
}
