import { nearest } from '@hintgate/metadata'
import type { Node } from 'yaml'
import { parseMoment } from '../../base/measures.ts'
import { RULE_KINDS } from '../guardrails/registry.ts'
import { readList, readText } from './read-fields.ts'
import type { YamlFile } from './read-yaml.ts'
import { OWN_QUESTIONS } from './waiver.ts'

/** The keys that a waiver must have. It must name the agents, tools and definitions that it is for, and it must end. */
const REQUIRED: Readonly<Record<string, string>> = {
  agents: 'name the agents whose calls the waiver is for, such as `agents: sales-bot`',
  tools: 'name the tools, such as `tools: crm:update_contact`',
  fingerprints: 'add the fingerprint of the tool; `hintgate tools show SERVER:TOOL` prints it',
  waives: 'name the rules that no longer ask, such as `waives: confirm.destructive`',
  author: 'add the person who answers for the waiver, such as `author: ada`',
  expires: 'add the date on which it ends, such as `expires: 2026-12-31`',
}

/** Keys that would have no effect in other rules. */
const OWN = ['waives', 'author', 'expires', 'fingerprints'] as const

const FINGERPRINT = /^[0-9a-f]{64}$/
const LONGEST_AUTHOR = 200

export const WAIVER_READERS = {
  waives: readWaived,
  author: readAuthor,
  expires: readExpiry,
  fingerprints: (file: YamlFile, node: Node) =>
    readList(file, node, { what: 'fingerprints', read: item => readFingerprint(file, item) }),
}

function readWaived(file: YamlFile, node: Node): readonly string[] | undefined {
  return readList(file, node, {
    what: 'waives',
    read: item => {
      const name = readText(file, item, 'one of waives')
      if (name === undefined || isKnown(name)) return name
      const match = nearest(name, OWN_QUESTIONS)
      const fix =
        match === undefined ? `use one of ${OWN_QUESTIONS.join(', ')}` : `did you mean \`${match}\`?`
      return file.complain(
        item,
        `no rule asks under the name \`${name}\``,
        `${fix}; or policy.ID, or guardrail.NAME`,
      )
    },
  })
}

/** Rules are named in full: a pattern could remove the questions of a rule that is added later. */
function isKnown(name: string): boolean {
  if (OWN_QUESTIONS.some(known => known === name) || name.startsWith('policy.')) return true
  return name.startsWith('guardrail.') && RULE_KINDS.has(name.slice('guardrail.'.length))
}

function readAuthor(file: YamlFile, node: Node): string | undefined {
  const author = readText(file, node, 'author')?.trim()
  if (author === undefined || author.length <= LONGEST_AUTHOR) return author
  return file.complain(node, 'the author is too long', `use at most ${LONGEST_AUTHOR} characters`)
}

function readExpiry(file: YamlFile, node: Node): number | undefined {
  const text = readText(file, node, 'expires')
  if (text === undefined) return undefined
  const at = parseMoment(text)
  if (at !== undefined) return at
  return file.complain(
    node,
    'expires is not a date',
    'write a day or a time: 2026-12-31, or 2026-12-31T18:00Z',
  )
}

function readFingerprint(file: YamlFile, node: Node): string | undefined {
  const text = readText(file, node, 'one of fingerprints')
  if (text === undefined || FINGERPRINT.test(text)) return text
  return file.complain(
    node,
    'the fingerprint is invalid',
    '`hintgate tools show SERVER:TOOL` prints it: 64 digits, 0-9 and a-f',
  )
}

interface Read {
  readonly fields: ReadonlyMap<string, { readonly key: Node }>
  readonly effect: unknown
}

/** Reports the keys that a waiver lacks, and keys for waivers in any other rule. */
export function complainOfWaiver(file: YamlFile, node: Node, { fields, effect }: Read): void {
  if (effect === 'waive') {
    for (const [key, fix] of Object.entries(REQUIRED))
      if (!fields.has(key)) file.complain(node, `the waiver has no ${key}`, fix)
    return
  }
  if (effect === undefined) return
  for (const key of OWN) {
    const field = fields.get(key)
    if (field !== undefined)
      file.complain(field.key, `${key} applies to waivers only`, 'remove it, or write `effect: waive`')
  }
}
