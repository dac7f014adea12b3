import type { Feature } from '../learn/linear-model.ts'
import type { Facts } from './gather-facts.ts'
import type { Evidence } from './inference.ts'
import type { SpokenVerb } from './read-sentence.ts'
import type { VerbRule } from './verb-table.ts'

/** A verb from any part of the definition, with its weight. */
export interface WeighedVerb {
  readonly rule: VerbRule
  readonly weight: number
  readonly reason: Evidence
  /** True for a verb in a description that comes after the description's main verb. */
  readonly isAside: boolean
}

/**
 * The most that secondary verbs can count against read-only. Without a limit, a long description with many verbs would
 * always count as a write.
 */
const MAX_ASIDES = -1.5
const CONFIRMED_WRITE = -1.5
/** The vote for read-only if every listed action reads. */
const READING_ACTIONS = 1.5
/** The rules' vote has a limit, which allows learned weights to outvote it. */
const MAX_VOTE = 5
/** The weight of a description, depending on whether the name has a plain verb, a doubtful verb, or no verb. */
const BESIDE = { plain: 0.45, doubtful: 0.65, none: 0.9 }
/** The votes that code, SQL and command lines add to destructive and idempotent. */
const OPAQUE = { destructive: 1.2, idempotent: -1 }

/** Collects all verbs, the most informative first: from the name, then the title, then the description. */
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
    // Further verbs count only against read-only: "gets the list and deletes it" is not half a read.
    if (at > 0 && verb.rule.readOnly > 0) return
    let share = weight * beside
    if (at === 0) share *= mixed && verb.rule.readOnly > 0 ? 0.4 : 1
    else share *= isWriteBesideMain(spoken) ? 1.2 : 0.6
    // A description that repeats the name's verb is not independent evidence.
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

/**
 * Returns true for a write that is coordinated with the main verb in the first sentence, as in "Get or set the
 * language".
 */
function isWriteBesideMain({ verb, weight, negated, isPeer }: SpokenVerb): boolean {
  return isPeer && !negated && weight >= 0.6 && verb.rule.readOnly < -1.5
}

/**
 * Returns the votes of verbs and their objects, in log-odds. They are the features that the rules contribute to the
 * learned model.
 */
export function castVotes(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  opaque: Evidence | undefined,
): Feature<Evidence>[] {
  return [
    ...bound(voteReadOnly(facts, verbs)),
    ...voteWrites(facts, verbs, opaque, 'destructive'),
    ...voteWrites(facts, verbs, opaque, 'idempotent'),
  ]
}

function voteReadOnly(facts: Facts, verbs: readonly WeighedVerb[]): Feature<Evidence>[] {
  const votes: Feature<Evidence>[] = []
  const vote = (value: number, reason: Evidence): void => {
    votes.push({ id: 'rules.readOnly', value, reason })
  }
  let asides = 0
  for (const { rule, weight, reason, isAside } of verbs) {
    const wanted = rule.readOnly * weight
    const share = isAside ? Math.max(wanted, MAX_ASIDES - asides) : wanted
    if (isAside) asides += share
    vote(share, reason)
  }
  const { object, spokenObject } = facts
  if (object !== undefined)
    vote(object.rule.readOnly, { rule: object.rule.id, from: 'name', text: object.text })
  const confirmed = findConfirmation(facts)
  if (confirmed !== undefined) {
    vote(CONFIRMED_WRITE, { rule: 'description.as-named', from: 'description', text: confirmed.text })
  } else if (spokenObject !== undefined) {
    const { rule, text } = spokenObject
    vote(rule.readOnly * 0.6, { rule: rule.id, from: 'description', text })
  }
  const worst = pickVerb(facts, [], (a, b) => a.readOnly < b.readOnly)
  // A tool with several actions is judged by the strictest of them.
  if (worst !== undefined)
    vote(worst.rule.readOnly < 0 ? worst.rule.readOnly - 1 : READING_ACTIONS, worst.reason)
  votes.push(...voteContext(facts, 'readOnly'))
  const output = facts.outputs[0]
  if (output !== undefined)
    vote(output.rule.readOnly, { rule: output.rule.id, from: 'output', text: output.text })
  return votes
}

/**
 * Returns the votes of phrases and parameters that state a hint directly. Each rule counts once, however many words it
 * matched.
 */
export function voteContext(
  facts: Facts,
  question: 'readOnly' | 'destructive' | 'idempotent' | 'openWorld',
): Feature<Evidence>[] {
  const id = `rules.${question}`
  const votes: Feature<Evidence>[] = []
  for (const { rule, text, turned, weight } of facts.phrases) {
    const value = (rule[question] ?? 0) * weight * (turned ? -1 : 1)
    const reason: Evidence = { rule: rule.id, from: 'description', text: turned ? `not ${text}` : text }
    if (value !== 0) votes.push({ id, value, reason })
  }
  if (question === 'destructive' || question === 'idempotent') return votes
  const seen = new Set<string>()
  for (const { rule, parameter } of facts.parameters) {
    const value = seen.has(rule.id) ? 0 : (rule[question] ?? 0)
    seen.add(rule.id)
    const reason: Evidence = { rule: rule.id, from: 'parameter', text: parameter.name }
    if (value !== 0) votes.push({ id, value, reason })
  }
  return votes
}

/**
 * Finds confirmation in a description that starts like a read but later says that the tool does what its name says:
 * "Gets guidance … This orchestrates the migration". Such a tool is not a read just because it also returns data.
 */
function findConfirmation({ nameVerbs, spoken }: Facts): SpokenVerb | undefined {
  const main = nameVerbs[0]?.verb
  if (main === undefined || main.rule.readOnly > 0 || (spoken[0]?.verb.rule.readOnly ?? 0) < 0)
    return undefined
  return spoken.find(({ verb, negated }) => verb.base === main.base && verb.form === 'third' && !negated)
}

function bound(votes: readonly Feature<Evidence>[]): Feature<Evidence>[] {
  const sum = Math.abs(votes.reduce((total, { value }) => total + value, 0))
  const share = sum > MAX_VOTE ? MAX_VOTE / sum : 1
  return votes.map(vote => ({ ...vote, value: vote.value * share }))
}

/** Returns the votes on a hint of tools that are not read-only. The strictest verb decides. */
function voteWrites(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  opaque: Evidence | undefined,
  question: 'destructive' | 'idempotent',
): Feature<Evidence>[] {
  const id = `rules.${question}`
  const votes = voteContext(facts, question)
  const isWorse = (a: VerbRule, b: VerbRule): boolean =>
    question === 'destructive' ? a.destructive > b.destructive : a.idempotent < b.idempotent
  const worst = pickVerb(facts, verbs, isWorse)
  if (worst !== undefined) votes.push({ id, value: toLogOdds(worst.rule[question]), reason: worst.reason })
  const object = facts.object?.rule
  if (question === 'destructive' && object?.destructive !== undefined) {
    const reason: Evidence = { rule: object.id, from: 'name', text: facts.object?.text ?? '' }
    votes.push({ id, value: object.destructive, reason })
  }
  if (opaque !== undefined) votes.push({ id, value: OPAQUE[question], reason: opaque })
  return votes
}

function toLogOdds(chance: number): number {
  return Math.log(chance / (1 - chance))
}

/** Picks the verb that decides: the strictest, in the given order, of the main verb and the actions in the schema. */
function pickVerb(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  isWorse: (a: VerbRule, b: VerbRule) => boolean,
): { rule: VerbRule; reason: Evidence } | undefined {
  const named = verbs.filter(({ reason }) => reason.from === 'name')
  const candidates: readonly { rule: VerbRule; reason: Evidence }[] =
    named.length > 0 ? named : verbs.filter(({ weight }) => weight >= 0.4)
  // If the name reads but the tool is a write, the verbs that made it a write decide.
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
