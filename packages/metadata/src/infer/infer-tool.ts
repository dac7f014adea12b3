import type { ToolDefinition } from '../definition/tool-definition.ts'
import { type Answer, type Feature, LinearModel, toChance, type WeightTable } from '../learn/linear-model.ts'
import { type Facts, gatherFacts } from './gather-facts.ts'
import type { Evidence, Inference, Judgement } from './inference.ts'
import { judge } from './judge.ts'
import { findOpaque, judgeOperations } from './judge-operations.ts'
import { readDomains } from './read-domains.ts'
import { readFeatures } from './read-features.ts'
import { learnSiblings } from './siblings.ts'
import { castVotes, voteContext, type WeighedVerb, weighVerbs } from './weigh-verbs.ts'
import WEIGHTS from './weights.json' with { type: 'json' }

/** The questions that the table of weights answers, in the table's order. */
export const LEARNED_QUESTIONS = ['readOnly', 'destructive', 'idempotent'] as const

const shipped = new LinearModel(WEIGHTS)

/**
 * Infers what a tool does from its name, title, description and schemas, and from the other tools of the same server.
 * Annotations are ignored, so the result is independent of them. Every judgement has a confidence and lists the words
 * that it is based on. The function never throws, whatever the definition contains.
 *
 * @example
 * import { inferTool } from '@hintgate/metadata'
 * const { destructive } = inferTool({ name: 'delete_file', description: 'Deletes a file for good.' })
 * destructive.value // => true
 * destructive.evidence[0]?.rule // => 'verb.delete'
 */
export function inferTool(definition: ToolDefinition, siblings?: readonly ToolDefinition[]): Inference {
  return infer(shipped, definition, siblings)
}

/**
 * Creates a variant of {@link inferTool} with other weights, such as those that `npm run train` learns when it leaves
 * out one vendor.
 *
 * @example
 * import { inferWith } from '@hintgate/metadata'
 * const questions = ['readOnly', 'destructive', 'idempotent']
 * const none = { bias: [0, 0, 0], threshold: [0, 0, 0], slope: [1, 1, 1], shift: [0, 0, 0] }
 * const infer = inferWith({ questions, ...none, weights: { 'rules.readOnly': [1, 0, 0] } })
 * infer({ name: 'list_files' }).readOnly.value // => true
 */
export function inferWith(table: WeightTable): typeof inferTool {
  const model = new LinearModel(table)
  return (definition, siblings) => infer(model, definition, siblings)
}

/**
 * Returns the features that training learns weights for. The votes of the rules are features like any other.
 *
 * @example
 * import { readInferenceFeatures } from '@hintgate/metadata'
 * const features = readInferenceFeatures({ name: 'list_files' })
 * features.some(({ id }) => id === 'verb.list@name') // => true
 */
export function readInferenceFeatures(
  definition: ToolDefinition,
  siblings?: readonly ToolDefinition[],
): readonly Feature<Evidence>[] {
  return gatherAll(definition, siblings, () => true).features
}

function gatherAll(
  definition: ToolDefinition,
  siblings: readonly ToolDefinition[] | undefined,
  knows: (id: string) => boolean,
) {
  const facts = gatherFacts(definition, learnSiblings(siblings))
  const verbs = weighVerbs(facts)
  const opaque = findOpaque(facts, verbs)
  const features = [...castVotes(facts, verbs, opaque), ...readFeatures(facts, verbs, { opaque, knows })]
  return { facts, verbs, opaque, features }
}

function infer(
  model: LinearModel,
  definition: ToolDefinition,
  siblings: readonly ToolDefinition[] | undefined,
): Inference {
  const { facts, verbs, opaque, features } = gatherAll(definition, siblings, id => model.knows(id))
  const answers = model.answer(features)
  const of = (question: (typeof LEARNED_QUESTIONS)[number]): Judgement<boolean> => {
    const answer = answers[LEARNED_QUESTIONS.indexOf(question)]
    return answer === undefined ? judge(false, 0, []) : conclude(answer)
  }
  const readOnly = refuseRead(of('readOnly'), findSafety(facts, opaque))
  const { value, confidence, evidence } = readOnly
  return {
    operations: judgeOperations(facts, verbs, { readOnly, opaque }),
    readOnly,
    destructive: value ? judge(false, confidence, evidence) : doubtUnspoken(of('destructive'), features),
    idempotent: value ? judge(true, confidence * 0.95, evidence) : of('idempotent'),
    openWorld: judgeOpenWorld(facts),
    ...judgeRisks(facts, verbs, readOnly),
    domains: readDomains(facts.nameWords, facts.stream.words),
  }
}

/**
 * Confidence for a tool whose definition contains suspicious words but no verb or phrase. It is too low to tighten a
 * hint, so such words alone do not make a tool destructive.
 */
const UNSPOKEN_CONFIDENCE = 0.55

function doubtUnspoken(
  judged: Judgement<boolean>,
  features: readonly Feature<Evidence>[],
): Judgement<boolean> {
  if (features.some(({ id }) => id === 'rules.destructive')) return judged
  return judge(judged.value, Math.min(judged.confidence, UNSPOKEN_CONFIDENCE), judged.evidence)
}

/**
 * The bias towards open world, because most tools without evidence reach external systems. It is not learned: authors
 * set this hint to one value for all their tools, so there is nothing to learn from.
 */
const OPEN_WORLD_BIAS = 0.2

function judgeOpenWorld(facts: Facts): Judgement<boolean> {
  const votes = voteContext(facts, 'openWorld')
  const chance = toChance(votes.reduce((sum, { value }) => sum + value, OPEN_WORLD_BIAS))
  const evidence = votes.map(({ reason }) => reason)
  return judge(chance > 0.5, Math.max(chance, 1 - chance), evidence)
}

/** Maximum amount of evidence to report. More would add little to the explanation. */
const MAX_EVIDENCE = 8

/** Orders the evidence: first what supports the answer, then what speaks against it. */
function conclude({ value, chance, towards, against }: Answer<Evidence>): Judgement<boolean> {
  const [own, other] = value ? [towards, against] : [against, towards]
  const evidence = [...own, ...other].slice(0, MAX_EVIDENCE).map(([reason]) => reason)
  return judge(value, Math.max(0.5, value ? chance : 1 - chance), evidence)
}

/** Parameters with which the caller chooses where a file is written. */
const WRITES_FILE = new Set(['param.output-file', 'param.save'])

/**
 * Finds reasons for which a tool is never judged a read, whatever was learned: deletions, files written to disk, code,
 * SQL and command lines.
 */
function findSafety(facts: Facts, opaque: Evidence | undefined): Safety | undefined {
  const main = facts.nameVerbs[0]
  if (main?.verb.rule.operations.includes('delete') === true && !main.verb.noun) {
    return { confidence: 0.95, reason: { rule: main.verb.rule.id, from: 'name', text: main.text } }
  }
  const action = facts.actions.find(({ verb }) => verb.rule.operations.includes('delete'))
  if (action !== undefined) {
    const { from, text } = action
    return { confidence: 0.9, reason: { rule: `${from}.action`, from, text } }
  }
  const file = facts.parameters.find(({ rule }) => WRITES_FILE.has(rule.id))
  if (file !== undefined) {
    return { confidence: 0.7, reason: { rule: file.rule.id, from: 'parameter', text: file.parameter.name } }
  }
  const promised = facts.phrases.some(({ rule, turned }) => rule.id === 'phrase.read-only' && !turned)
  return opaque === undefined || promised ? undefined : { confidence: 0.8, reason: opaque }
}

interface Safety {
  readonly confidence: number
  readonly reason: Evidence
}

function refuseRead(judged: Judgement<boolean>, safety: Safety | undefined): Judgement<boolean> {
  if (safety === undefined) return judged
  const { reason, confidence } = safety
  const evidence = [reason, ...judged.evidence.filter(other => other.text !== reason.text)]
  return judge(false, judged.value ? confidence : Math.max(confidence, judged.confidence), evidence)
}

/** Judges the hints that are not in the specification. Those without evidence are left out. */
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
    ...(egress.length === 0 ? {} : { egress: judge(true, main?.rule.egress === true ? 0.85 : 0.7, egress) }),
    ...(sensitive.length === 0 ? {} : { sensitive: judge(true, 0.7, sensitive) }),
  }
}

function judgeReversible(facts: Facts, main: WeighedVerb | undefined): Judgement<boolean> | undefined {
  for (const { rule, text, turned } of facts.phrases) {
    if (rule.reversible === undefined || turned) continue
    return judge(rule.reversible, 0.85, [{ rule: rule.id, from: 'description', text }])
  }
  if (main?.rule.reversible === undefined) return undefined
  return judge(main.rule.reversible, 0.7, [main.reason])
}
