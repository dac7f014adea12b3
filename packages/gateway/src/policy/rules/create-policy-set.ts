import { createHash } from 'node:crypto'
import { type EffectiveRecord, HINTS } from '@hintgate/metadata'
import { matchesGlob } from '../../scope/match-scope.ts'
import type { Facts, ToolFacts } from '../facts/facts.ts'
import { CallView, viewTool } from './condition/call-view.ts'
import type { Effect, Fallback, HintDemand, PolicyHit, PolicyResult, PolicySet, Rule } from './policy-set.ts'
import type { Waiver } from './waiver.ts'

/** The facts that selectors look at. They are the same for all calls to one tool by one agent in one toolset. */
type Target = Pick<Facts, 'agent' | 'server' | 'tool' | 'set'>

/** Whether a rule's selectors match. The rule's condition is evaluated later. */
function selects(rule: Rule, { agent, server, tool, set }: Target): boolean {
  const { agents, servers, sets, variants, hints } = rule
  return (
    (agents === undefined || agents.some(glob => matchesGlob(glob, agent.name))) &&
    (servers === undefined || servers.some(glob => matchesGlob(glob, server.name))) &&
    selectsThing(rule, { server, tool }) &&
    (sets === undefined || (set !== undefined && sets.some(glob => matchesGlob(glob, set)))) &&
    (variants === undefined || variants.includes(tool.variant)) &&
    (hints === undefined || hints.every(demand => meets(demand, tool)))
  )
}

function selectsThing(
  { tools, resources, prompts }: Rule,
  { server, tool: { kind = 'tool', name } }: Pick<Target, 'server' | 'tool'>,
): boolean {
  if (tools === undefined && resources === undefined && prompts === undefined) return true
  if (kind === 'resource') return resources?.some(glob => matchesGlob(glob, name)) === true
  const patterns = kind === 'prompt' ? prompts : tools
  return patterns?.some(one => matchesGlob(one.server, server.name) && matchesGlob(one.tool, name)) === true
}

function meets({ hint, value, sources }: HintDemand, { effective }: Target['tool']): boolean {
  const found = effective[hint]
  return (
    (value === undefined || found.value === value) &&
    (sources === undefined || sources.includes(found.source))
  )
}

/** Describes a tool's hints with their sources, such as `destructive (declared), not reversible (default)`. */
function describeHints(demands: readonly HintDemand[], { effective }: Target['tool']): string {
  return demands
    .map(({ hint }) => {
      const { value, source } = effective[hint]
      return `${value ? '' : 'not '}${HINTS[hint].label} (${source})`
    })
    .join(', ')
}

const RANK: Readonly<Record<Effect, number>> = { deny: 0, confirm: 1, allow: 2 }

/** A rule with an effect on the verdict, which a waiver does not have. */
type Judging = Rule & { readonly effect: Effect }

function isJudging(rule: Rule): rule is Judging {
  return rule.effect !== 'waive'
}

interface Candidate {
  readonly rule: Judging
  /** The result if the rule applies. It is prepared once, because a tool's hints do not change between calls. */
  readonly hit: PolicyHit
}

/** The rules that can apply to calls to one tool by one agent. */
interface Prepared {
  readonly server: string
  readonly set: string | undefined
  readonly tool: ToolFacts
  readonly candidates: readonly Candidate[]
  readonly view: object
  /** The result for every such call. Set if none of the rules has a condition. */
  readonly settled: PolicyResult | undefined
}

const MAX_AGENTS = 1_000

export function createPolicySet(rules: readonly Rule[], fallback: Fallback): PolicySet {
  // Deny rules come first, then confirm rules, then allow rules. Within each group, the order of the files is kept.
  const inOrder = rules.filter(isJudging).toSorted((a, b) => RANK[a.effect] - RANK[b.effect])
  const waivers = rules.flatMap(rule => toWaiver(rule))
  // The key is the effective record, not the fingerprint, because an override creates a different record for the same
  // definition.
  const prepared = new WeakMap<EffectiveRecord, Map<string, Prepared>>()

  function prepare(facts: Facts): Prepared {
    const { agent, server, tool, set } = facts
    const key = set === undefined ? agent.name : `${agent.name} ${set}`
    const byAgent = prepared.get(tool.effective) ?? new Map<string, Prepared>()
    const known = byAgent.get(key)
    const isSame = known !== undefined && known.server === server.name && known.set === set
    if (isSame && isSameTool(known.tool, tool)) return known
    if (byAgent.size >= MAX_AGENTS) byAgent.clear()
    const fresh = prepareAfresh(inOrder, facts)
    prepared.set(tool.effective, byAgent.set(key, fresh))
    return fresh
  }

  return {
    version: digest(rules, fallback),
    size: rules.length,
    fallback,
    evaluate(facts) {
      const { settled, candidates, view } = prepare(facts)
      return settled ?? evaluate(candidates, new CallView(facts, view))
    },
    waiversOf: facts => findWaivers(waivers, facts),
  }
}

interface SelectiveWaiver {
  readonly rule: Rule
  readonly waiver: Waiver
}

function toWaiver(rule: Rule): readonly SelectiveWaiver[] {
  const { id, effect, reason, source, waives, author, expires } = rule
  if (effect !== 'waive' || waives === undefined || author === undefined || expires === undefined) return []
  return [{ rule, waiver: { id, waives, author, expires, reason, source } }]
}

/** Only calls that would ask get here, so nothing is prepared for others. */
function findWaivers(all: readonly SelectiveWaiver[], facts: Facts): readonly Waiver[] {
  const { fingerprint } = facts.tool
  const chosen = all.filter(
    ({ rule, waiver }) =>
      facts.now < waiver.expires && rule.fingerprints?.includes(fingerprint) === true && selects(rule, facts),
  )
  if (chosen.length === 0) return []
  const call = new CallView(facts, viewTool(facts.tool))
  return chosen.filter(({ rule }) => (rule.when?.test(call) ?? true) === true).map(({ waiver }) => waiver)
}

/** Matches all selectors once. Later calls then evaluate only the rules that can apply to them. */
function prepareAfresh(rules: readonly Judging[], facts: Facts): Prepared {
  const { server, tool, set } = facts
  const matching = rules.filter(rule => selects(rule, facts))
  const candidates = matching.map(rule => ({ rule, hit: toHit(rule, tool) }))
  const isSettled = candidates.every(({ rule }) => rule.when === undefined)
  const settled = isSettled ? { hits: candidates.map(({ hit }) => hit) } : undefined
  return { server: server.name, set, tool, candidates, view: viewTool(tool), settled }
}

function isSameTool(a: ToolFacts, b: ToolFacts): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.variant === b.variant &&
      a.title === b.title &&
      a.category === b.category &&
      a.riskLevel === b.riskLevel)
  )
}

function evaluate(candidates: readonly Candidate[], call: CallView): PolicyResult {
  const failed: PolicyHit[] = []
  const hits: PolicyHit[] = []
  for (const { rule, hit } of candidates) {
    const outcome = rule.when?.test(call) ?? true
    if (outcome === true) hits.push(hit)
    else if (outcome !== false) failed.push(toFailure(rule, outcome.why))
  }
  // A condition that cannot be evaluated counts as a deny.
  return { hits: failed.length === 0 ? hits : [...failed, ...hits] }
}

function toHit(
  { id, effect, reason, source, hints, channel, remember }: Judging,
  tool: ToolFacts,
): PolicyHit {
  const text = hints === undefined ? reason : `${reason} [${describeHints(hints, tool)}]`
  return {
    id,
    effect,
    reason: { rule: `policy.${id}`, source, text },
    ...(effect === 'confirm' && { channel: channel ?? 'any', remember: remember ?? [] }),
  }
}

function toFailure({ id, source }: Rule, why: string): PolicyHit {
  const text = `The condition of rule ${id} (${source}) could not be evaluated, so the call is denied: ${why}`
  return { id, effect: 'deny', reason: { rule: `policy.${id}`, source, text } }
}

function digest(rules: readonly Rule[], fallback: Fallback): string {
  const texts = rules.map(({ source: _source, when, ...rule }) => ({ ...rule, when: when?.text }))
  return createHash('sha256')
    .update(JSON.stringify([fallback, texts.map(sortKeys)]))
    .digest('hex')
}

/** Keys are sorted, because their order in a file has no meaning. */
function sortKeys(rule: object): unknown {
  return Object.entries(rule).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
