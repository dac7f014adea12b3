import { isScalar, isSeq, type Node } from 'yaml'
import type { PolicyProblem } from '../../../base/errors/policy-problem.ts'
import type { Fallback } from '../policy-set.ts'
import { readFields, readList, readText, readWord } from '../read-fields.ts'
import { type PolicyFile, YamlFile } from '../read-yaml.ts'
import { factsOf, type ToldCall } from './case-facts.ts'
import type { PolicyCase } from './policy-case.ts'
import { CALL_READERS } from './read-call.ts'

export interface CaseFile {
  readonly cases: readonly PolicyCase[]
  /** Which policies the cases are about, relative to the file; absent: those of the config. */
  readonly policies?: readonly string[]
  readonly policyDefault?: Fallback
  readonly problems: readonly PolicyProblem[]
}

const EFFECTS = ['allow', 'confirm', 'deny'] as const

/** Reads a file of cases for `hintgate policy test`, or lists everything that is wrong with it. */
export function readCases(text: PolicyFile): CaseFile {
  const file = new YamlFile(text)
  const fields =
    file.root &&
    readFields(file, file.root, { what: 'a file of cases', known: ['policies', 'policyDefault', 'cases'] })
  const written = fields?.get('policies')?.value
  const policies =
    written &&
    readList(file, written, { what: 'policies', read: item => readText(file, item, 'a policy file') })
  const fallback = fields?.get('policyDefault')?.value
  const policyDefault = fallback && readWord(file, fallback, { what: 'default', words: ['allow', 'deny'] })
  const list = fields?.get('cases')?.value
  if (file.problems.length === 0 && !isSeq(list))
    file.complain(
      list ?? 0,
      'there are no cases',
      'write `cases:` and below it one `- name: …` for each case',
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
  // Every part was read by its own reader, and `tool` is there.
  const call = Object.assign({}, ...told) as ToldCall
  const source = `${file.path}:${file.lineOf(node)}`
  return { name: title, source, facts: factsOf(dropAbsent(call)), expect: effect, rules: rules ?? [] }
}

function dropAbsent(call: ToldCall): ToldCall {
  return Object.fromEntries(
    Object.entries(call).filter(([, value]) => value !== undefined),
  ) as unknown as ToldCall
}
