import { showPath } from '../../base/errors/problem.ts'
import type { Facts, Reason } from '../facts/facts.ts'
import type { GuardrailHit, GuardrailProblem, GuardrailSource, Guardrails, RateRule } from './guardrail.ts'
import { parseRule, type Rule } from './parse-rule.ts'
import { isFor } from './selector.ts'
import { Reading, showField } from './values/reading.ts'
import type { Violation } from './values/rule.ts'

/** The layers of guardrails, from the widest to the narrowest. */
const LAYERS: readonly GuardrailSource['layer'][] = ['global', 'agent', 'server', 'tool']

const NO_RATES: readonly RateRule[] = []

interface Placed {
  readonly rule: Rule
  readonly source: GuardrailSource
  /** The rule's location as shown to people, such as `config guardrails[3]`. */
  readonly location: string
}

/**
 * Compiles all guardrails when the config is loaded. Every problem is listed with its path and fix, and a config with
 * problems is refused.
 * @example
 * compileGuardrails([{ layer: 'global', path: ['guardrails'], rules: [{ rule: 'secret_detect' }] }])
 */
export function compileGuardrails(sources: readonly GuardrailSource[]): {
  guardrails: Guardrails
  problems: readonly GuardrailProblem[]
} {
  const problems: GuardrailProblem[] = []
  const placed: Placed[] = []
  for (const source of sortLayers(sources)) {
    for (const [at, raw] of source.rules.entries()) {
      const path = [...source.path, at]
      const parsed = parseRule(raw, path)
      if ('problems' in parsed) problems.push(...parsed.problems)
      else placed.push({ rule: parsed.rule, source, location: `config ${showPath(path)}` })
    }
  }
  return { guardrails: createGuardrails(placed), problems }
}

function sortLayers(sources: readonly GuardrailSource[]): readonly GuardrailSource[] {
  return sources.toSorted((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer))
}

/** Once the cache has this many entries, it is cleared. */
const MAX_CACHED = 10_000

function createGuardrails(placed: readonly Placed[]): Guardrails {
  /** Caches the rules that apply to each combination of caller, server, tool and variant. */
  const chosen = new Map<string, readonly Placed[]>()
  const rulesFor = (facts: Facts): readonly Placed[] => {
    const { agent, server, tool } = facts
    const key = JSON.stringify([agent.name, server.name, tool.name, tool.variant])
    const known = chosen.get(key)
    if (known !== undefined) return known
    if (chosen.size >= MAX_CACHED) chosen.clear()
    const rules = placed.filter(({ rule, source }) => isFor(rule.selector, source, facts))
    chosen.set(key, rules)
    return rules
  }
  const isLimiting = placed.some(({ rule }) => rule.rate !== undefined)
  return {
    size: placed.length,
    check: facts => checkWithClient(rulesFor(facts), facts),
    checkTexts: facts => checkWithClient(rulesFor(facts).filter(readsTexts), facts),
    ratesOf: facts => (isLimiting ? rulesFor(facts).flatMap(one => toRateRule(one, facts)) : NO_RATES),
  }
}

function readsTexts({ rule }: Placed): boolean {
  return rule.readsTexts
}

/**
 * For each set of rules, the client description that was last found harmless. A client sends the same description in
 * every call, so it is checked only once.
 */
const harmless = new WeakMap<readonly Placed[], string>()
const LONGEST_KEPT = 256

function checkWithClient(rules: readonly Placed[], facts: Facts): readonly GuardrailHit[] {
  if (rules.length === 0) return []
  const hits = checkAll(rules, facts)
  const { client } = facts
  if (client === undefined || hits.some(denies)) return hits
  const text = JSON.stringify(client)
  if (harmless.get(rules) === text) return hits
  const others = { _meta: { clientInfo: client } }
  const found = checkAll(rules.filter(readsTexts), { ...facts, args: {}, others })
  if (found.length === 0 && text.length <= LONGEST_KEPT) harmless.set(rules, text)
  return [...hits, ...found]
}

function denies({ effect }: GuardrailHit): boolean {
  return effect === 'deny'
}

function checkAll(rules: readonly Placed[], facts: Facts): readonly GuardrailHit[] {
  if (rules.length === 0) return []
  const reading = new Reading(facts)
  const hits: GuardrailHit[] = []
  for (const one of rules) {
    const violation = run(one, reading)
    if (violation !== undefined) hits.push({ effect: one.rule.effect, reason: toReason(one, violation) })
  }
  return hits
}

const EXHAUSTED: Violation = { field: '', text: 'the arguments are too large to check' }
const BROKEN: Violation = { field: '', text: 'an internal error prevented the check of the arguments' }

/** Runs one rule. If the check throws or could not read all arguments, that counts as a violation. */
function run({ rule }: Placed, reading: Reading): Violation | undefined {
  if (rule.rate !== undefined) return undefined
  try {
    return reading.ask<Violation | undefined>(rule.check, EXHAUSTED)
  } catch {
    return BROKEN
  }
}

function toReason({ rule, location }: Placed, { field, text }: Violation): Reason {
  const message = field === '' ? text : `${showField(field)} ${text}`
  return {
    rule: `guardrail.${rule.name}`,
    source: location,
    text: rule.words === undefined ? message : `${message} (${rule.words})`,
  }
}

function toRateRule(one: Placed, facts: Facts): readonly RateRule[] {
  const { rate } = one.rule
  if (rate === undefined) return []
  return [
    {
      key: `${one.location}|${rate.partyOf(facts)}`,
      limit: rate.limit,
      windowMs: rate.windowMs,
      reason: toReason(one, { field: '', text: rate.text }),
    },
  ]
}
