import {
  CONSEQUENCES,
  HINT_NAMES,
  type HintName,
  OPERATIONS,
  RISK_FACTORS,
  SERVICE_DOMAINS,
  type Sourced,
} from '@hintgate/metadata'
import { isScalar, isSeq, type Node } from 'yaml'
import type { PolicyProblem } from '../../../base/errors/policy-problem.ts'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import type { Fallback } from '../policy-set.ts'
import { readFields, readHints, readList, readText, readWord } from '../read-fields.ts'
import { type PolicyFile, YamlFile } from '../read-yaml.ts'
import { factsOf, type ToldCall } from './case-facts.ts'
import type { PolicyCase } from './run-case.ts'

type Readers = {
  readonly [K in Exclude<keyof ToldCall, 'server'>]-?: (
    file: YamlFile,
    node: Node,
  ) => (K extends 'tool' ? Pick<ToldCall, 'server' | 'tool'> : ToldCall[K]) | undefined
}

const INTENT = {
  operation_type: ['read', 'write', 'destructive'],
  data_sensitivity: ['public', 'internal', 'private', 'unknown'],
} as const

const CALL_READERS: Readers = {
  tool: readTool,
  agent: (file, node) => readText(file, node, 'agent'),
  hints: readToldHints,
  operations: (file, node) =>
    readList(file, node, {
      what: 'operations',
      read: item => readWord(file, item, { what: 'operation', words: OPERATIONS }),
    }),
  domains: (file, node) =>
    readList(file, node, {
      what: 'domains',
      read: item => readWord(file, item, { what: 'domain', words: SERVICE_DOMAINS }),
    }),
  consequence: (file, node) =>
    readList(file, node, {
      what: 'consequence',
      read: item => readWord(file, item, { what: 'consequence', words: CONSEQUENCES }),
    }),
  origin: (file, node) => readWord(file, node, { what: 'origin', words: ['target', 'occasion', 'kind'] }),
  args: readArgs,
  intent: readIntent,
  session: readSession,
  now: readNow,
}

function readTool(file: YamlFile, node: Node): Pick<ToldCall, 'server' | 'tool'> | undefined {
  const [server = '', ...rest] = readText(file, node, 'tool')?.split(':') ?? []
  const tool = rest.join(':')
  if (server !== '' && tool !== '') return { server, tool }
  return file.complain(node, 'the tool name is incomplete', 'write server:tool')
}

function readToldHints(file: YamlFile, node: Node): ToldCall['hints'] | undefined {
  const demands = readHints(file, node)
  const told: Partial<Record<HintName, boolean | Sourced<boolean>>> = {}
  for (const { hint, value, sources } of demands ?? []) {
    const [source] = sources ?? []
    if (value === undefined || (sources?.length ?? 0) > 1)
      return file.complain(
        node,
        `${hint} needs a value and at most one source`,
        'write { value: true, source: inferred }',
      )
    told[hint] = source === undefined ? value : { value, source }
  }
  return demands && HINT_NAMES.some(hint => hint in told) ? told : undefined
}

function readArgs(file: YamlFile, node: Node): Json | undefined {
  const args = file.dataOf(node)
  return isJsonObject(args) ? args : file.complain(node, 'args is not a mapping', 'write names and values')
}

function readIntent(file: YamlFile, node: Node): ToldCall['intent'] {
  const fields = readFields(file, node, { what: 'intent', known: [...Object.keys(INTENT), 'reason'] })
  const word = <K extends keyof typeof INTENT>(key: K) => {
    const value = fields?.get(key)?.value
    return value && readWord<(typeof INTENT)[K][number]>(file, value, { what: key, words: INTENT[key] })
  }
  const operation_type = word('operation_type')
  const data_sensitivity = word('data_sensitivity')
  const written = fields?.get('reason')?.value
  const reason = written && readText(file, written, 'reason')
  return {
    ...(operation_type && { operation_type }),
    ...(data_sensitivity && { data_sensitivity }),
    ...(reason && { reason }),
  }
}

/** The former name of `external_communication`, which is still accepted in case files. */
const FORMER_NAME = 'way_out'

function readSession(file: YamlFile, node: Node): ToldCall['session'] {
  const fields = readFields(file, node, { what: 'session', known: [...RISK_FACTORS, FORMER_NAME] })
  const riskFactors = RISK_FACTORS.flatMap(factor => {
    const former = factor === 'external_communication' ? fields?.get(FORMER_NAME) : undefined
    const value = (fields?.get(factor) ?? former)?.value
    const basis = value && readWord(file, value, { what: factor, words: ['none', 'assumed', 'declared'] })
    return basis === undefined ? [] : [[factor, basis]]
  })
  return Object.fromEntries(riskFactors)
}

function readNow(file: YamlFile, node: Node): number | undefined {
  const at = isScalar(node) ? Date.parse(String(node.value)) : Number.NaN
  return Number.isNaN(at)
    ? file.complain(node, 'now is not a time', 'write a time such as 2026-01-05T12:00:00Z')
    : at
}

export interface CaseFile {
  readonly cases: readonly PolicyCase[]
  /** The policy files to test, relative to the case file. Undefined means the policy files in the config. */
  readonly policies?: readonly string[]
  readonly policyDefault?: Fallback
  readonly problems: readonly PolicyProblem[]
}

const EFFECTS = ['allow', 'confirm', 'deny'] as const

/** Reads a case file for `hintgate policy test` and lists every problem in it. */
export function readCases(text: PolicyFile): CaseFile {
  const file = new YamlFile(text)
  const fields =
    file.root &&
    readFields(file, file.root, { what: 'a case file', known: ['policies', 'policyDefault', 'cases'] })
  const written = fields?.get('policies')?.value
  const policies =
    written &&
    readList(file, written, { what: 'policies', read: item => readText(file, item, 'a policy file') })
  const fallback = fields?.get('policyDefault')?.value
  const policyDefault =
    fallback && readWord(file, fallback, { what: 'policyDefault', words: ['allow', 'deny'] })
  const list = fields?.get('cases')?.value
  if (file.problems.length === 0 && !isSeq(list))
    file.complain(
      list ?? 0,
      'the file has no cases',
      'write `cases:` and one `- name: …` below it for each case',
    )
  const items: readonly Node[] = isSeq<Node>(list) ? list.items : []
  const cases = items.flatMap(node => readCase(file, node) ?? [])
  return {
    cases,
    ...(policies !== undefined && { policies }),
    ...(policyDefault !== undefined && { policyDefault }),
    problems: file.problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
  }
}

function readCase(file: YamlFile, node: Node): PolicyCase | undefined {
  const before = file.problems.length
  const known = ['name', ...Object.keys(CALL_READERS), 'expect', 'rule']
  const fields = readFields(file, node, { what: 'a case', known })
  if (fields === undefined) return undefined
  const part = (key: string): Node | undefined => {
    const field = fields.get(key)
    if (field === undefined) return undefined
    const isEmpty = field.value === undefined || (isScalar(field.value) && field.value.value === null)
    return isEmpty ? file.complain(field.key, `${key} is empty`, 'write a value, or remove it') : field.value
  }
  for (const key of ['name', 'tool', 'expect'])
    if (!fields.has(key)) file.complain(node, `the case has no ${key}`, `add \`${key}:\``)
  const [name, expect, rule] = [part('name'), part('expect'), part('rule')]
  const title = name && readText(file, name, 'name')
  const effect = expect && readWord(file, expect, { what: 'verdict', words: EFFECTS })
  const rules = rule && readList(file, rule, { what: 'rule', read: item => readText(file, item, 'rule') })
  const told = Object.entries(CALL_READERS).map(([key, read]) => {
    const value = part(key)
    const found = value && read(file, value)
    return key === 'tool' ? found : { [key]: found }
  })
  if (file.problems.length > before || title === undefined || effect === undefined) return undefined
  // The cast is safe, because every field was checked and `tool` is required.
  const call = Object.assign({}, ...told) as ToldCall
  const source = `${file.path}:${file.lineOf(node)}`
  return { name: title, source, facts: factsOf(dropAbsent(call)), expect: effect, rules: rules ?? [] }
}

function dropAbsent(call: ToldCall): ToldCall {
  return Object.fromEntries(
    Object.entries(call).filter(([, value]) => value !== undefined),
  ) as unknown as ToldCall
}
