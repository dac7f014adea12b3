import { OPERATIONS, type Operation } from '../derive/operations.ts'
import type { Facts } from './gather-facts.ts'
import type { Evidence, Judgement } from './inference.ts'
import { judge } from './judge.ts'
import type { WeighedVerb } from './weigh-verbs.ts'

/**
 * Verbs that can mean running a parameter's content. With other verbs the content is only data: "analyze" reads its
 * parameter `code`.
 */
const RUNNING = new Set([
  'verb.run',
  'verb.execute',
  'verb.manage',
  'verb.switch-on',
  'verb.send',
  'verb.interface',
])

/** Finds evidence that the effect depends on the arguments, as with code, SQL or a command line. */
export function findOpaque(facts: Facts, verbs: readonly WeighedVerb[]): Evidence | undefined {
  if (facts.object?.rule.opaque === true) {
    return { rule: facts.object.rule.id, from: 'name', text: facts.object.text }
  }
  if (facts.spokenObject?.rule.opaque === true) {
    const { rule, text } = facts.spokenObject
    return { rule: rule.id, from: 'description', text }
  }
  const main = verbs[0]
  const runs =
    main === undefined || RUNNING.has(main.rule.id) || verbs.some(({ rule }) => rule.id === 'verb.execute')
  // A tool that takes a query in a language that can also write is not a read, whatever its name says.
  if (facts.writingQuery !== undefined) return facts.writingQuery
  if (!runs) return undefined
  const found = facts.parameters.find(({ rule }) => rule.opaque === true)
  if (found !== undefined) return { rule: found.rule.id, from: 'parameter', text: found.parameter.name }
  const phrase = facts.phrases.find(({ rule, turned }) => rule.id === 'phrase.arbitrary-code' && !turned)
  return phrase === undefined ? undefined : { rule: phrase.rule.id, from: 'description', text: phrase.text }
}

export function judgeOperations(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  known: { readonly readOnly: Judgement<boolean>; readonly opaque: Evidence | undefined },
): Judgement<readonly Operation[]> {
  const { readOnly, opaque } = known
  if (readOnly.value) return judge(['read'], readOnly.confidence, readOnly.evidence)
  const found = new Set<Operation>()
  const evidence: Evidence[] = []
  const note = (operations: readonly Operation[], reason: Evidence): void => {
    for (const operation of operations) found.add(operation)
    evidence.push(reason)
  }
  if (opaque !== undefined) note(['opaque'], opaque)
  for (const { verb, text, from } of facts.actions) {
    note(verb.rule.operations, { rule: `${from}.action`, from, text })
  }
  const writes = verbs.filter(({ rule }) => rule.readOnly < 0)
  const telling = writes.filter(({ reason }) => reason.from === 'name')
  if (opaque === undefined) {
    for (const { rule, reason } of telling.length > 0 ? telling : writes.slice(0, 2))
      note(rule.operations, reason)
  }
  if (found.size === 0) {
    return judge(['update'], 0.3, [{ rule: 'default.write', from: 'default', text: 'no evidence' }])
  }
  const operations = OPERATIONS.filter(operation => found.has(operation))
  const confidence = readOnly.confidence * (telling.length > 0 || facts.actions.length > 0 ? 0.9 : 0.8)
  return judge(operations, confidence, evidence)
}
