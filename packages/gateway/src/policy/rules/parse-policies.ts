import { isMap, isScalar, isSeq, type Node } from 'yaml'
import type { PolicyProblem } from '../../base/errors/policy-problem.ts'
import { createPolicySet } from './create-policy-set.ts'
import type { Fallback, PolicySet } from './policy-set.ts'
import { readFields } from './read-fields.ts'
import { readRule } from './read-rule.ts'
import { type PolicyFile, YamlFile } from './read-yaml.ts'
import type { Rule } from './rule.ts'

const MAX_RULES = 10_000

/**
 * Reads all policy files and lists everything that is wrong with them. The set is to be used only if nothing is.
 *
 * @example
 * const text = 'rules: [{ id: no-deletes, effect: deny, variants: destructive, reason: Nothing is deleted here. }]'
 * parsePolicies([{ path: 'policies/main.yaml', text }]).set.size // => 1
 */
export function parsePolicies(
  files: readonly PolicyFile[],
  { fallback = 'allow' }: { readonly fallback?: Fallback } = {},
): { readonly set: PolicySet; readonly rules: readonly Rule[]; readonly problems: readonly PolicyProblem[] } {
  const rules = new Map<string, Rule>()
  const problems = files.flatMap(file => readFile(new YamlFile(file), rules))
  const all = [...rules.values()]
  return { set: createPolicySet(all, fallback), rules: all, problems }
}

function readFile(file: YamlFile, rules: Map<string, Rule>): readonly PolicyProblem[] {
  for (const node of listRules(file)) {
    const rule = readRule(file, node)
    if (rule === undefined) continue
    const other = rules.get(rule.id)
    if (other !== undefined)
      file.complain(
        idOf(node),
        `another rule is called ${rule.id} (${other.source})`,
        'rename one of the two',
      )
    else if (rules.size >= MAX_RULES) {
      file.complain(node, `there are more than ${MAX_RULES} rules`, 'join rules, for instance with globs')
      break
    } else rules.set(rule.id, rule)
  }
  return file.problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function listRules(file: YamlFile): readonly Node[] {
  const { root } = file
  if (root === undefined) {
    // A disk that was full or an editor that was interrupted leaves this, and rules that were there must not go by it.
    if (file.problems.length === 0)
      file.complain(0, 'the file is empty', 'write its rules, or `rules: []` if there are to be none')
    return []
  }
  if (isSeq(root)) {
    file.complain(root, 'the rules stand alone', 'write `rules:` above them')
    return []
  }
  const rules = readFields(file, root, { what: 'a policy file', known: ['rules'] })?.get('rules')?.value
  if (rules === undefined || (isScalar(rules) && rules.value === null)) return []
  if (isSeq<Node>(rules)) return rules.items
  file.complain(rules, 'rules is not a list', 'begin every rule with a dash: `- id: …`')
  return []
}

function idOf(node: Node): Node {
  if (!isMap<Node, Node | null>(node)) return node
  const id = node.items.find(({ key }) => String(key) === 'id')
  return id?.value ?? node
}
