import { showUntrusted } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Finding } from './finding.ts'
import type { DigitsOf } from './rules.ts'
import { nameKind, showValue, suggest, TYPE_WORDS } from './show-value.ts'

const MAX_SHOWN = 20

export function describeType({ schema, value }: Finding, digitsOf: DigitsOf): string {
  return `${nameTypes(schema)}, not ${nameKind(value, digitsOf)}`
}

function nameTypes(schema: unknown): string {
  const { type, format }: Json = isJsonObject(schema) ? schema : {}
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  const words = names
    .slice(0, MAX_SHOWN)
    .map(name => TYPE_WORDS[String(name)] ?? showUntrusted(String(name)))
    .join(' or ')
  return typeof format === 'string' && type === 'string' ? `${words} (${showUntrusted(format)})` : words
}

/** For `const` and `enum`, of one schema or of several alternatives. */
export function describeChoice(findings: readonly Finding[], digitsOf: DigitsOf): string {
  const values = findings.flatMap(readChoice)
  const sent = findings[0]?.value
  const hint =
    typeof sent === 'string'
      ? suggest(
          sent,
          values.filter(value => typeof value === 'string'),
        )
      : ''
  const shown = values.slice(0, MAX_SHOWN).map(value => showValue(value, digitsOf))
  if (values.length === 1) return `${shown[0]}`
  const more = values.length > MAX_SHOWN ? `, … (${values.length} in all)` : ''
  return `one of ${shown.join(', ')}${more}${hint}`
}

function readChoice({ keyword, schema }: Finding): readonly unknown[] {
  if (!isJsonObject(schema)) return []
  return keyword === 'enum' && Array.isArray(schema.enum) ? schema.enum : [schema.const]
}

/** What each of several alternatives would have taken in one place. */
export function describeAlternatives(finding: Finding, digitsOf: DigitsOf): string {
  const parts = flatten(finding)
  const types = parts.filter(({ keyword }) => keyword === 'type').map(({ schema }) => nameTypes(schema))
  const choices = parts.filter(({ keyword }) => keyword === 'const' || keyword === 'enum')
  const words = choices.length > 0 ? [describeChoice(choices, digitsOf), ...types] : types
  const text = [...new Set(words)].slice(0, MAX_SHOWN).join(' or ')
  return choices.length > 0 ? text : `${text}, not ${nameKind(finding.value, digitsOf)}`
}

function flatten({ parts = [] }: Finding): readonly Finding[] {
  return parts.flatMap(part => (part.keyword === 'alternatives' ? flatten(part) : [part]))
}
