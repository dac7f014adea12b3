import { HINTS, type HintName } from '@hintgate/metadata'
import type { HintDemand, Rule, ToolPattern } from './policy-set.ts'

const EFFECTS = {
  allow: 'Allow',
  confirm: 'Ask a person before',
  deny: 'Refuse',
  waive: 'Do not ask a person before',
} as const

/**
 * Describes a rule in one sentence, for people who do not read YAML.
 *
 * @example sayRule(rule) // 'Refuse destructive calls to crm:* by intern-* when args.count > 10.'
 */
export function sayRule(rule: Rule): string {
  const { effect, agents, servers, sets, variants, hints, when } = rule
  const kinds = variants?.map(variant => variant.replace('call_tool_', ''))
  const parts = [
    EFFECTS[effect],
    ...(kinds === undefined ? ['all'] : [list(kinds, 'and')]),
    sayThings(rule),
    ...(servers === undefined ? [] : [`on ${list(servers, 'and')}`]),
    ...(sets === undefined ? [] : [`in the toolset ${list(sets, 'or')}`]),
    ...(agents === undefined ? [] : [`by ${list(agents, 'and')}`]),
    ...(hints === undefined ? [] : [`where ${list(hints.map(sayHint), 'and')}`]),
    ...(when === undefined ? [] : [`when ${when.text.trim()}`]),
    ...sayWaiver(rule),
  ]
  return `${parts.join(' ')}.`
}

function sayWaiver({ waives, author, expires }: Rule): readonly string[] {
  if (waives === undefined || author === undefined || expires === undefined) return []
  const until = new Date(expires).toISOString().slice(0, 10)
  return [`because of ${list(waives, 'or')}, as ${author} decided, until ${until}`]
}

/** A rule that names no tools, resources or prompts applies to all of them. */
function sayThings({ tools, resources, prompts }: Rule): string {
  const named = [
    ...(tools === undefined ? [] : [`calls to ${list(tools.map(sayTool), 'and')}`]),
    ...(resources === undefined ? [] : [`requests for the resources ${list(resources, 'and')}`]),
    ...(prompts === undefined ? [] : [`requests for the prompts ${list(prompts.map(sayTool), 'and')}`]),
  ]
  return named.length === 0 ? 'calls' : list(named, 'and')
}

function sayTool({ server, tool }: ToolPattern): string {
  return server === '*' ? tool : `${server}:${tool}`
}

function sayHint({ hint, value, sources }: HintDemand): string {
  const { label } = HINTS[hint]
  const is = value === undefined ? `the ${label} hint has any value` : sayValue(hint, value)
  return sources === undefined ? is : `${is} (${list(sources, 'or')})`
}

function sayValue(hint: HintName, value: boolean): string {
  if (hint === 'egress') return value ? 'it sends data out' : 'it sends no data out'
  return `it is ${value ? '' : 'not '}${HINTS[hint].label}`
}

function list(items: readonly string[], word: 'and' | 'or'): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${word} ${last}`
}
