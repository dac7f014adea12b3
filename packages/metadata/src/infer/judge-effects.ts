import type { Facts } from './gather-facts.ts'
import type { Evidence, Judgement } from './inference.ts'
import type { SpokenVerb } from './read-sentence.ts'
import { judge, Tally, toChance, toLogOdds } from './tally.ts'
import type { VerbRule } from './verb-table.ts'

/** A verb from any part of the definition, with its weight. */
export interface WeighedVerb {
  readonly rule: VerbRule
  readonly weight: number
  readonly reason: Evidence
  /** A secondary verb of a description, after its main verb. */
  readonly isAside: boolean
}

/** Without evidence, "changes something" is slightly more likely. */
const READ_ONLY_PRIOR = -0.3
/** Read-only needs more than even odds, because inferring a write as a read is the costly mistake. */
const READ_ONLY_THRESHOLD = 0.4
/** Whether code reads or writes depends on the code, so no definition makes that certain. */
const OPAQUE_CONFIDENCE = 0.85
const VAGUE_CONFIDENCE = 0.89
/** Verbs whose own log-odds are below this ("manage", "run", "ask") are vague. */
const VAGUE_VERB = 1.75
/** The share of contrary evidence that is normal; more lowers the confidence. */
const CONFLICT_FREE = 0.2
const CONFLICT_DOUBT = 0.35
const CONFIRMED_WRITE = -1.5
/** The most that secondary verbs may count against read-only. */
const MAX_ASIDES = -1.5
/** The weight of a description beside a plain verb, a doubtful verb, or no verb in the name. */
const BESIDE = { plain: 0.45, doubtful: 0.65, none: 0.9 }

/** All verbs, the most informative first: name, then title, then description. */
export function weighVerbs(facts: Facts): readonly WeighedVerb[] {
  const verbs: WeighedVerb[] = []
  facts.nameVerbs.forEach(({ verb, weight, text }, at) => {
    verbs.push({
      rule: verb.rule,
      weight: at === 0 ? weight : weight * 0.7,
      reason: { rule: verb.rule.id, from: 'name', text },
      isAside: false,
    })
  })
  for (const { verb, weight, text } of facts.titleVerbs.slice(0, 1)) {
    verbs.push({
      rule: verb.rule,
      weight: weight * 0.6,
      reason: { rule: verb.rule.id, from: 'title', text },
      isAside: false,
    })
  }
  const main = facts.nameVerbs[0]
  const beside = main === undefined ? BESIDE.none : main.weight < 0.75 ? BESIDE.doubtful : BESIDE.plain
  const mixed = facts.spoken.some(isWriteBesideMain)
  facts.spoken.forEach((spoken, at) => {
    const { verb, weight, negated, text } = spoken
    if (negated) return
    // Further verbs only count against read-only: "gets the list and deletes it" is not half a read.
    if (at > 0 && verb.rule.readOnly > 0) return
    let share = weight * beside
    if (at === 0) share *= mixed && verb.rule.readOnly > 0 ? 0.4 : 1
    else share *= isWriteBesideMain(spoken) ? 1.2 : 0.6
    // A description that repeats the name is not independent evidence.
    if (verb.rule === main?.verb.rule) share *= 0.5
    verbs.push({
      rule: verb.rule,
      weight: share,
      reason: { rule: verb.rule.id, from: 'description', text },
      isAside: at > 0 && !isWriteBesideMain(spoken),
    })
  })
  return verbs
}

/** "Get or set the language": a write on a par with the main verb, in the first sentence. */
function isWriteBesideMain({ verb, weight, negated, isPeer }: SpokenVerb): boolean {
  return isPeer && !negated && weight >= 0.6 && verb.rule.readOnly < -1.5
}

export function judgeReadOnly(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  opaque: Evidence | undefined,
): Judgement<boolean> {
  const tally = new Tally(READ_ONLY_PRIOR)
  let asides = 0
  verbs.forEach(({ rule, weight, reason, isAside }) => {
    const wanted = rule.readOnly * weight
    // A long description mentions many verbs, so together they count as one.
    const share = isAside ? Math.max(wanted, MAX_ASIDES - asides) : wanted
    if (isAside) asides += share
    tally.add(share, reason)
  })
  if (facts.object !== undefined) {
    tally.add(facts.object.rule.readOnly, {
      rule: facts.object.rule.id,
      from: 'name',
      text: facts.object.text,
    })
  }
  const confirmed = findConfirmation(facts)
  if (confirmed !== undefined) {
    tally.add(CONFIRMED_WRITE, { rule: 'description.as-named', from: 'description', text: confirmed.text })
  } else if (facts.spokenObject !== undefined) {
    const { rule, text } = facts.spokenObject
    tally.add(rule.readOnly * 0.6, { rule: rule.id, from: 'description', text })
  }
  addNegations(facts, tally)
  addActions(facts, tally)
  addContext(facts, tally, 'readOnly')
  const output = facts.outputs[0]
  if (output !== undefined)
    tally.add(output.rule.readOnly, { rule: output.rule.id, from: 'output', text: output.text })
  const value = tally.score > READ_ONLY_THRESHOLD
  const chance = toChance(tally.score)
  const confidence = (value ? chance : 1 - chance) * (1 - doubtOf(tally))
  return judge(value, Math.max(0.5, Math.min(confidence, limitOf(facts, opaque))), tally.evidence)
}

/**
 * Whether a description that starts like a read also says that the tool does what its name says: "Gets guidance …
 * This orchestrates the migration". Then the data that it also returns does not make it a read.
 */
function findConfirmation(facts: Facts): SpokenVerb | undefined {
  const main = facts.nameVerbs[0]
  if (main === undefined || main.verb.rule.readOnly > 0 || (facts.spoken[0]?.verb.rule.readOnly ?? 0) < 0)
    return undefined
  return facts.spoken.find(
    ({ verb, negated }) => verb.base === main.verb.base && verb.form === 'third' && !negated,
  )
}

/** The highest confidence: a vague verb, or none, leaves doubt whatever the other evidence is. */
function limitOf(facts: Facts, opaque: Evidence | undefined): number {
  if (opaque !== undefined) return OPAQUE_CONFIDENCE
  const main = facts.nameVerbs[0]
  if (main === undefined) return 1
  return Math.abs(main.verb.rule.readOnly) < VAGUE_VERB ? VAGUE_CONFIDENCE : 1
}

/** Contradictory evidence leaves more doubt than its sum shows. */
function doubtOf(tally: Tally): number {
  const smaller = Math.min(tally.towards, tally.against)
  const larger = Math.max(tally.towards, tally.against)
  return larger === 0 ? 0 : CONFLICT_DOUBT * Math.max(0, smaller / larger - CONFLICT_FREE)
}

function addNegations(facts: Facts, tally: Tally): void {
  const negated = facts.spoken.find(spoken => spoken.negated && spoken.verb.rule.readOnly < -2)
  if (negated === undefined) return
  tally.add(0.5, { rule: 'phrase.negated-verb', from: 'description', text: `not ${negated.text}` })
}

/** A tool with several actions is judged by the strictest of them. */
function addActions(facts: Facts, tally: Tally): void {
  const worst = findWorstAction(facts)
  if (worst === undefined) return
  const weight = worst.verb.rule.readOnly < 0 ? worst.verb.rule.readOnly - 1 : 0.8
  tally.add(weight, { rule: `${worst.from}.action`, from: worst.from, text: worst.text })
}

function findWorstAction(facts: Facts): Facts['actions'][number] | undefined {
  return facts.actions.reduce<Facts['actions'][number] | undefined>(
    (worst, next) =>
      worst === undefined || next.verb.rule.readOnly < worst.verb.rule.readOnly ? next : worst,
    undefined,
  )
}

type Effect = 'readOnly' | 'destructive' | 'idempotent' | 'openWorld'

/** Phrases and parameters. Each rule counts once, however many words it matched. */
export function addContext(facts: Facts, tally: Tally, effect: Effect): void {
  for (const { rule, text, turned, weight: trust } of facts.phrases) {
    const weight = (rule[effect] ?? 0) * trust
    tally.add(turned ? -weight : weight, {
      rule: rule.id,
      from: 'description',
      text: turned ? `not ${text}` : text,
    })
  }
  const spoken = new Set<string>()
  for (const { rule, parameter } of facts.parameters) {
    if (spoken.has(rule.id)) continue
    spoken.add(rule.id)
    tally.add(rule[effect] ?? 0, { rule: rule.id, from: 'parameter', text: parameter.name })
  }
}

/** Probabilities, given that the tool is not read-only: the strictest verb, adjusted by context. */
export function judgeDestructive(facts: Facts, verbs: readonly WeighedVerb[]): Tally {
  const tally = new Tally(0)
  const worst = pickVerb(facts, verbs, (a, b) => a.destructive > b.destructive)
  if (worst === undefined) tally.score = toLogOdds(0.53)
  else tally.add(toLogOdds(worst.rule.destructive), worst.reason)
  const object = facts.object?.rule
  if (object?.destructive !== undefined) {
    tally.add(object.destructive, { rule: object.id, from: 'name', text: facts.object?.text ?? '' })
  }
  addContext(facts, tally, 'destructive')
  return tally
}

export function judgeIdempotent(facts: Facts, verbs: readonly WeighedVerb[]): Tally {
  const tally = new Tally(0)
  const worst = pickVerb(facts, verbs, (a, b) => a.idempotent < b.idempotent)
  if (worst === undefined) tally.score = toLogOdds(0.3)
  else tally.add(toLogOdds(worst.rule.idempotent), worst.reason)
  addContext(facts, tally, 'idempotent')
  return tally
}

/** The main verb and the actions of the schema decide; among them the strictest in the given order. */
function pickVerb(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  isWorse: (a: VerbRule, b: VerbRule) => boolean,
): { rule: VerbRule; reason: Evidence } | undefined {
  const named = verbs.filter(({ reason }) => reason.from === 'name')
  const candidates: { rule: VerbRule; reason: Evidence }[] = (
    named.length > 0 ? named : verbs.filter(({ weight }) => weight >= 0.4)
  ).map(({ rule, reason }) => ({ rule, reason }))
  // A tool that is a write although its name reads is judged by the verbs that made it a write.
  const writes = verbs.filter(({ rule }) => rule.readOnly < 0)
  const base = candidates.some(({ rule }) => rule.readOnly < 0) || writes.length === 0 ? candidates : writes
  const all = [
    ...base,
    ...facts.actions.map(({ verb, text, from }) => ({
      rule: verb.rule,
      reason: { rule: `${from}.action`, from, text },
    })),
  ]
  return all.reduce<{ rule: VerbRule; reason: Evidence } | undefined>(
    (worst, next) => (worst === undefined || isWorse(next.rule, worst.rule) ? next : worst),
    undefined,
  )
}
