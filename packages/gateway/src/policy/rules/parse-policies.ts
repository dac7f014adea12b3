import { isMap, isScalar, isSeq, type Node } from 'yaml'
import type { PolicyProblem } from '../../base/errors/policy-problem.ts'
import { compileCondition } from './condition/compile-condition.ts'
import { createPolicySet } from './create-policy-set.ts'
import type { Fallback, PolicySet, Rule } from './policy-set.ts'
import {
  readFields,
  readGlobs,
  readHints,
  readList,
  readText,
  readTools,
  readVariants,
  readWord,
} from './read-fields.ts'
import { complainOfWaiver, WAIVER_READERS } from './read-waiver.ts'
import { offsetInFile, type PolicyFile, YamlFile } from './read-yaml.ts'

const KEYS = [
  'id',
  'effect',
  'agents',
  'servers',
  'tools',
  'sets',
  'resources',
  'prompts',
  'variants',
  'hints',
  'when',
  'reason',
  'channel',
  'remember',
  'waives',
  'author',
  'expires',
  'fingerprints',
] as const

type Key = (typeof KEYS)[number]

const REQUIRED: Readonly<Partial<Record<Key, string>>> = {
  id: 'add an id, a short name such as `id: no-mass-mail`',
  effect: 'add `effect: allow`, `effect: confirm` or `effect: deny`',
  reason: 'add a reason: the sentence that people and agents see',
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

const READERS: { readonly [K in Exclude<Key, 'when'>]: (file: YamlFile, node: Node) => Rule[K] | undefined } =
  {
    id: readId,
    effect: (file, node) =>
      readWord(file, node, { what: 'effect', words: ['allow', 'confirm', 'deny', 'waive'] }),
    agents: (file, node) => readGlobs(file, node, 'agents'),
    servers: (file, node) => readGlobs(file, node, 'servers'),
    tools: readTools,
    sets: (file, node) => readGlobs(file, node, 'sets'),
    resources: (file, node) => readGlobs(file, node, 'resources'),
    prompts: readTools,
    variants: readVariants,
    hints: readHints,
    reason: (file, node) => readText(file, node, 'reason')?.trim(),
    channel: (file, node) => readWord(file, node, { what: 'channel', words: ['person', 'any'] }),
    remember: (file, node) =>
      readList(file, node, {
        what: 'remember',
        read: item =>
          readWord(file, item, { what: 'remember value', words: ['session', 'arguments', 'rule'] }),
      }),
    ...WAIVER_READERS,
  }

/** Reads one rule. Its problems are added to the file's problems. If there are any, the result is undefined. */
function readRule(file: YamlFile, node: Node): Rule | undefined {
  const before = file.problems.length
  const fields = readFields(file, node, { what: 'a rule', known: KEYS })
  if (fields === undefined) return undefined
  const read: Partial<Record<Key, unknown>> = {}
  for (const [key, { key: at, value }] of fields) {
    if (value === undefined || (isScalar(value) && value.value === null))
      file.complain(at, `${key} is empty`, `write a value after \`${key}:\`, or remove the key`)
    else read[key as Key] = key === 'when' ? readWhen(file, value) : readField(file, key, value)
  }
  for (const [key, fix] of Object.entries(REQUIRED))
    if (!fields.has(key)) file.complain(node, `the rule has no ${key}`, fix)
  complainOfIdleKeys(file, fields, read.effect)
  complainOfWaiver(file, node, { fields, effect: read.effect })
  if (file.problems.length > before) return undefined
  // The cast is safe, because every field was checked and the required ones are present.
  return { ...read, source: `${file.path}:${file.lineOf(node)}` } as Rule
}

function readField(file: YamlFile, key: string, node: Node): unknown {
  return READERS[key as keyof typeof READERS](file, node)
}

function readId(file: YamlFile, node: Node): string | undefined {
  const id = readText(file, node, 'id')
  if (id === undefined || ID.test(id)) return id
  return file.complain(
    node,
    'the id is invalid',
    'use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit',
  )
}

function readWhen(file: YamlFile, node: Node): Rule['when'] | undefined {
  if (isScalar(node) && typeof node.value === 'boolean')
    return file.complain(node, 'when is a constant', 'remove it, or write a condition')
  const text = readText(file, node, 'when')
  if (text === undefined || !isScalar(node)) return undefined
  const { condition, complaints } = compileCondition(text)
  for (const { offset, message, fix } of complaints)
    file.complain(offsetInFile(file, node, offset), `when: ${message}`, fix)
  return condition
}

/** Reports `channel` and `remember` in rules other than confirm rules, where they would have no effect. */
function complainOfIdleKeys(
  file: YamlFile,
  fields: ReadonlyMap<string, { readonly key: Node }>,
  effect: unknown,
): void {
  if (effect === undefined || effect === 'confirm') return
  for (const key of ['channel', 'remember']) {
    const field = fields.get(key)
    if (field !== undefined)
      file.complain(
        field.key,
        `${key} applies to confirm rules only`,
        `remove it, or write \`effect: confirm\``,
      )
  }
}

const MAX_RULES = 10_000

/**
 * Reads all policy files and lists every problem in them. The returned set must be used only if there are no problems.
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
        `the id ${rule.id} is already used (${other.source})`,
        'rename one of the two rules',
      )
    else if (rules.size >= MAX_RULES) {
      file.complain(node, `there are more than ${MAX_RULES} rules`, 'combine rules, for example with globs')
      break
    } else rules.set(rule.id, rule)
  }
  return file.problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function listRules(file: YamlFile): readonly Node[] {
  const { root } = file
  if (root === undefined) {
    // An empty file is a problem, because a full disk or an interrupted editor can leave one, and its rules must not
    // disappear silently.
    if (file.problems.length === 0)
      file.complain(0, 'the file is empty', 'write its rules, or `rules: []` if it has none')
    return []
  }
  if (isSeq(root)) {
    file.complain(root, 'the rules are not under `rules:`', 'write `rules:` above them')
    return []
  }
  const rules = readFields(file, root, { what: 'a policy file', known: ['rules'] })?.get('rules')?.value
  if (rules === undefined || (isScalar(rules) && rules.value === null)) return []
  if (isSeq<Node>(rules)) return rules.items
  file.complain(rules, 'rules is not a list', 'start every rule with a dash: `- id: …`')
  return []
}

function idOf(node: Node): Node {
  if (!isMap<Node, Node | null>(node)) return node
  const id = node.items.find(({ key }) => String(key) === 'id')
  return id?.value ?? node
}
