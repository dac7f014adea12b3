import { createHash } from 'node:crypto'
import type { Facts } from '../../policy/facts/facts.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import type { PolicySet } from '../../policy/rules/policy-set.ts'
import type { Rules } from '../../policy/rules.ts'
import { findProbe, type Probed } from './attack-probes.ts'
import { type Group, groupQuestions } from './group-questions.ts'
import { type HijackStep, type Hijacks, stepsCovered } from './hijacks.ts'
import type { Asked, Question } from './question.ts'
import { sayNewlyAllowed } from './say-suggestion.ts'
import { boundArguments, conditionOf, findShape, type Shape, sayShape } from './shape.ts'
import type { NotSuggested, Replay, Suggestion, Suggestions } from './suggestion.ts'
import { type WaiverDraft, writeWaiver } from './write-waiver.ts'

interface SuggestOptions {
  readonly rules: Rules
  /** Recorded runs of hijacked agents, if there are any. */
  readonly hijacks: Hijacks | undefined
  /** The number of approved questions that a rule must be based on. */
  readonly min: number
  readonly now: number
}

export const USUAL_MINIMUM = 3
const LEAST_FOR_A_VALUE = 2
const LEAST_SESSIONS = 2
const MOST_COVERED = 20
const DAY_MS = 86_400_000

/**
 * Suggests waivers: the narrowest rules that would have removed the most questions, the best first. The result depends
 * only on what was recorded. A rule covers only calls like those that people approved again and again, none that was
 * denied, and none with which a recorded attack would have succeeded.
 */
export function suggestWaivers(asked: Asked, options: SuggestOptions): Suggestions {
  const open = asked.questions.filter(question => !isWaived(question, options))
  const groups = groupQuestions(open)
  const results = groups.flatMap(group => suggestFor(group, asked, options))
  const suggestions = results
    .flatMap(result => ('draft' in result ? [result] : []))
    .toSorted((a, b) => b.questions - a.questions || (a.id < b.id ? -1 : 1))
  return {
    suggestions,
    rejected: results
      .flatMap(result => ('why' in result ? [result] : []))
      .toSorted((a, b) => b.questions - a.questions),
    asked: asked.questions.length,
    approved: asked.questions.filter(({ answer }) => answer === 'approved').length,
    removed: suggestions.reduce((sum, { questions }) => sum + questions, 0),
    waived: asked.questions.length - open.length,
  }
}

function isWaived({ facts, rules }: Question, { rules: { policies }, now }: SuggestOptions): boolean {
  const waivers = policies.waiversOf({ ...facts, now })
  return rules.length > 0 && rules.every(rule => waivers.some(({ waives }) => waives.includes(rule)))
}

/** Rules whose questions no waiver can remove, each with the reason. */
const NEVER: readonly (readonly [prefix: string, why: string])[] = [
  ['provenance.occasion', 'text in a result asked for the whole call, so an attack would look the same'],
  ['provenance.kind', 'text in a result asked for the whole call, so an attack would look the same'],
  ['session.', 'the danger lies in what the session touched before, which the call does not show'],
  ['guardrail.', 'a guardrail asks, which an operator wrote; change the guardrail if it asks too often'],
]

function suggestFor(
  group: Group,
  asked: Asked,
  options: SuggestOptions,
): readonly (Suggestion | NotSuggested)[] {
  const { questions, rules } = group
  if (questions.length < options.min) return []
  const reject = (why: string): readonly NotSuggested[] => [
    { text: sayGroup(group), questions: questions.length, why },
  ]
  const never = NEVER.find(([prefix]) => rules.some(rule => rule.startsWith(prefix)))
  if (never !== undefined) return reject(never[1])
  const excluded = new Set<string>()
  // Each round removes the values of one attack, so the loop ends.
  for (;;) {
    const shape = findShape(
      questions.map(({ facts }) => facts.args),
      {
        targets: targetsOf(group),
        minSupport: LEAST_FOR_A_VALUE,
        mayGeneralise: !isProvenance(rules),
        excluded,
      },
    )
    if (shape === undefined)
      return reject(excluded.size > 0 ? LETS_ATTACKS_THROUGH : 'the calls have too little in common')
    const tried = tryShape(group, shape, { asked, options })
    if (tried.kind === 'suggestion') return [tried.suggestion]
    if (tried.kind === 'rejected') return reject(tried.why)
    const before = excluded.size
    for (const value of tried.values) excluded.add(value)
    if (excluded.size === before) return reject(LETS_ATTACKS_THROUGH)
  }
}

const LETS_ATTACKS_THROUGH = 'the rule would let a recorded attack through'

function isProvenance(rules: readonly string[]): boolean {
  return rules.some(rule => rule.startsWith('provenance.'))
}

/** Returns the arguments that a waiver must always bind: the tool's targets, and those whose values a result named. */
function targetsOf({ questions }: Group): ReadonlySet<string> {
  const named = questions.flatMap(({ facts }) => [
    ...facts.tool.consequence.targets,
    rootOf(facts.origin?.argument),
  ])
  return new Set(named)
}

function rootOf(path = ''): string {
  return path.split('.')[0] ?? ''
}

type Tried =
  | { readonly kind: 'suggestion'; readonly suggestion: Suggestion }
  | { readonly kind: 'rejected'; readonly why: string }
  /** The rule would let a recorded attack through because it covers these values. */
  | { readonly kind: 'attacked'; readonly values: readonly string[] }

interface Trial {
  readonly asked: Asked
  readonly options: SuggestOptions
}

function tryShape(group: Group, shape: Shape, { asked, options }: Trial): Tried {
  const draft = draftOf(group, shape)
  const set = compile(draft, options.now)
  if (set === undefined) return { kind: 'rejected', why: 'their values cannot be written as a condition' }
  const covers = (facts: Facts): boolean => set.waiversOf({ ...facts, now: options.now }).length > 0
  const covered = group.questions.filter(({ facts }) => covers(facts))
  if (covered.length < options.min || new Set(covered.map(({ session }) => session)).size < LEAST_SESSIONS)
    return { kind: 'rejected', why: 'too few of the calls are alike' }
  const worst = worstCases(covered, shape)
  const refused = asked.denied.concat(
    asked.questions.filter(({ answer }) => answer === 'denied').map(({ facts }) => facts),
  )
  const denied = refused.filter(({ server, tool }) => isSame(group, server.name, tool.name))
  // This holds no matter who made the denied call, and why it was asked about.
  if (denied.some(({ args }) => worst.some(facts => covers({ ...facts, args }))))
    return { kind: 'rejected', why: 'the rule would cover a call that was denied' }
  const attacks =
    options.hijacks === undefined
      ? []
      : stepsCovered(options.hijacks, group.tool, step =>
          worst.some(facts => covers({ ...facts, args: step.args })),
        )
  if (attacks.length > 0) return { kind: 'attacked', values: attacks.flatMap(step => valuesOf(step, shape)) }
  const probed = findProbe(
    covered.map(({ facts }) => facts),
    { shape, set, rules: options.rules, now: options.now },
  )
  if (probed.kind === 'let through') return { kind: 'rejected', why: probed.why }
  return {
    kind: 'suggestion',
    suggestion: toSuggestion(
      { group, shape, draft, covered },
      replayOf({ group, denied: denied.length, probed }, options),
    ),
  }
}

function isSame({ servers, tool }: Group, server: string, name: string): boolean {
  return (
    tool === name &&
    (servers === server || (servers.endsWith('*') && server.startsWith(servers.slice(0, -1))))
  )
}

/** Returns the covered calls as if text in a result had named one of the arguments that the rule binds. */
function worstCases(covered: readonly Question[], shape: Shape): readonly Facts[] {
  const [first] = covered
  if (first === undefined) return []
  const { facts } = first
  const bound = boundArguments(shape)
  const names = bound.length === 0 ? [''] : bound
  return names.map(argument => ({
    ...facts,
    origin: {
      kind: 'target',
      argument,
      values: [],
      server: '',
      tool: '',
      request: '',
      at: facts.now,
      passage: '',
    },
  }))
}

/** Returns the values in a step of an attack that the shape covers because it lists them. */
function valuesOf({ args }: HijackStep, shape: Shape): readonly string[] {
  return boundArguments(shape).flatMap(key => {
    const value = args[key]
    return (Array.isArray(value) ? value : [value])
      .filter(one => typeof one !== 'object' && one !== undefined)
      .map(String)
  })
}

function draftOf({ agents, servers, tool, fingerprint, set, rules }: Group, shape: Shape): WaiverDraft {
  const bound = boundArguments(shape)
  const origin = rules.includes('provenance.target')
    ? ` &&\n${JSON.stringify(bound)}.exists(name, call.argument == name || call.argument.startsWith(name + "."))`
    : ''
  // What a toolset fixes would be free at other endpoints, and the other way round.
  const place = set === undefined ? ' &&\ncall.set == ""' : ''
  const when = `${conditionOf(shape)}${origin}${place}`
  const body = { waives: rules, agents, servers, tool, fingerprint, set, when }
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 8)
  return { ...body, id: `fewer-${tool.replaceAll(/[^A-Za-z0-9_.-]/g, '-').slice(0, 40)}-${digest}` }
}

/** Compiles the very text that would be written, so that what was tried is what is accepted. */
function compile(draft: WaiverDraft, now: number): PolicySet | undefined {
  const text = writeWaiver(draft, { author: 'nobody', expires: now + DAY_MS, reason: 'A suggestion.' })
  const { set, problems } = parsePolicies([{ path: 'suggestion', text: `rules:\n${text}` }])
  return problems.length === 0 ? set : undefined
}

interface Made {
  readonly group: Group
  readonly shape: Shape
  readonly draft: WaiverDraft
  readonly covered: readonly Question[]
}

function toSuggestion({ group, shape, draft, covered }: Made, replay: Replay): Suggestion {
  const questions = covered.length
  return {
    id: draft.id,
    draft,
    text: `${sayGroup(group)} ${sayShape(shape)}: ${questions} questions, all approved`,
    questions,
    sessions: new Set(covered.map(({ session }) => session)).size,
    people: [...new Set(covered.flatMap(({ by }) => (by === undefined ? [] : [by])))].toSorted(),
    lastAt: Math.max(...covered.map(({ at }) => at)),
    covered: covered
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MOST_COVERED)
      .map(({ id, at, action }) => ({ id, at, action })),
    newlyAllows: sayNewlyAllowed(draft, shape),
    replay,
  }
}

function sayGroup({ agents, servers, tool, set }: Group): string {
  const place = set === undefined ? '' : ` in the toolset \`${set}\``
  return `\`${servers}:${tool}\`${place} by \`${agents}\``
}

interface Outcome {
  readonly group: Group
  readonly denied: number
  readonly probed: Extract<Probed, { kind: 'stopped' }>
}

function replayOf({ group, denied, probed }: Outcome, { hijacks }: SuggestOptions): Replay {
  const runs = hijacks?.runs.filter(({ steps }) => steps.some(({ tool }) => tool === group.tool)).length
  return { hijackedRuns: runs, deniedCalls: denied, probes: probed.count }
}
