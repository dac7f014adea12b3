import type { Json } from '../protocol/messages.ts'
import { type Answer, both, either, NO, opposite, UNKNOWN, YES } from './kinds.ts'
import { Evaluated, type Finding, type Node, type Run } from './run.ts'

/** Checks `allOf`, `anyOf`, `oneOf`, `not` and `if`, which apply further schemas to the same value. */
export function checkCombinations(run: Run, value: unknown, node: Node): Answer {
  const { allOf, anyOf, oneOf, not } = node.schema
  let answer: Answer = YES
  if (Array.isArray(allOf))
    for (const schema of allOf) answer = both(answer, run.check(value, schema, node.evaluated))
  if (Array.isArray(anyOf) && anyOf.length > 0)
    answer = both(answer, checkAnyOf(run, value, { ...node, branches: anyOf }))
  if (Array.isArray(oneOf) && oneOf.length > 0)
    answer = both(answer, checkOneOf(run, value, { ...node, branches: oneOf }))
  if (not !== undefined) answer = both(answer, checkNot(run, value, node.schema))
  if (node.schema.if !== undefined) answer = both(answer, checkIf(run, value, node))
  return answer
}

/** Maximum number of alternatives whose findings are kept. */
const MAX_FAILURES = 50

interface Branching extends Node {
  readonly branches: readonly unknown[]
}

function checkAnyOf(run: Run, value: unknown, node: Branching): Answer {
  let answer: Answer = NO
  const failures: (readonly Finding[])[] = []
  for (const branch of node.branches) {
    const tried = tryBranch(run, value, { branch, evaluated: node.evaluated })
    if (tried.answer === NO && failures.length < MAX_FAILURES) failures.push(tried.findings)
    answer = either(answer, tried.answer)
    // One match is enough, unless evaluated members must be collected from all matching branches.
    if (answer === YES && node.evaluated === undefined) return YES
  }
  return answer === NO
    ? run.report(chooseFindings(failures, { level: run.level, schema: node.schema }))
    : answer
}

function checkOneOf(run: Run, value: unknown, node: Branching): Answer {
  let fitting = 0
  let possible = 0
  const failures: (readonly Finding[])[] = []
  for (const branch of node.branches) {
    const tried = tryBranch(run, value, { branch, evaluated: node.evaluated })
    if (tried.answer === YES) fitting += 1
    if (tried.answer !== NO) possible += 1
    else if (failures.length < MAX_FAILURES) failures.push(tried.findings)
  }
  if (possible === 0) return run.report(chooseFindings(failures, { level: run.level, schema: node.schema }))
  if (fitting > 1) return run.fail({ keyword: 'oneOf', schema: node.schema, detail: fitting })
  return possible > 1 || fitting === 0 ? UNKNOWN : YES
}

/** Checks the value against one branch. The members that the branch evaluated count only if the value matches. */
function tryBranch(run: Run, value: unknown, node: { branch: unknown; evaluated: Evaluated | undefined }) {
  const evaluated = node.evaluated && new Evaluated()
  const tried = run.attempt(() => run.check(value, node.branch, evaluated))
  run.budget.spend(tried.findings.length)
  if (evaluated && node.evaluated) {
    if (tried.answer === YES) node.evaluated.merge(evaluated)
    if (tried.answer === UNKNOWN) node.evaluated.isUncertain = true
  }
  return tried
}

function checkNot(run: Run, value: unknown, schema: Json): Answer {
  const answer = opposite(run.attempt(() => run.check(value, schema.not)).answer)
  return answer === NO ? run.fail({ keyword: 'not', schema, value }) : answer
}

function checkIf(run: Run, value: unknown, { schema, evaluated }: Node): Answer {
  const { answer } = tryBranch(run, value, { branch: schema.if, evaluated })
  if (answer === UNKNOWN) return UNKNOWN
  const next = answer === YES ? schema.then : schema.else
  return next === undefined ? YES : run.check(value, next, evaluated)
}

/** The depth at which alternatives were tried, and the schema that contains them. */
interface Position {
  readonly level: number
  readonly schema: unknown
}

/** Keywords about the value as a whole. If one of them fails, the sender probably did not mean this alternative. */
const SORT = new Set(['type', 'const', 'enum', 'false', 'alternatives'])
const WRONG_SORT = 10_000
/**
 * Penalty for an alternative whose tag, a constant such as `kind: "circle"` at the top of an object, does not match.
 */
const WRONG_TAG = 1_000

/**
 * Chooses the findings to report when a value matches no alternative: those of the closest alternative, or, if none is
 * close, what each alternative expects at the one position where all of them fail.
 */
function chooseFindings(failures: readonly (readonly Finding[])[], place: Position): readonly Finding[] {
  const distances = failures.map(findings => distanceOf(findings, place.level))
  const nearest = distances.reduce((least, distance) => Math.min(least, distance), Number.POSITIVE_INFINITY)
  const closest = failures[distances.indexOf(nearest)] ?? []
  if (nearest < WRONG_TAG) return closest
  const isRightSort = nearest < WRONG_SORT
  const rivals = isRightSort ? failures.filter((_, at) => (distances[at] ?? 0) < WRONG_SORT) : failures
  return combine(rivals, place) ?? closest
}

function distanceOf(findings: readonly Finding[], level: number): number {
  return findings.reduce((sum, finding) => sum + weigh(finding, level), 0)
}

function weigh({ keyword, path }: Finding, level: number): number {
  if (!SORT.has(keyword) || path.length > level + 1) return 1
  if (path.length === level) return WRONG_SORT
  return keyword === 'type' ? 1 : WRONG_TAG
}

/** Combines the findings into one if all alternatives fail on the type of the same value. */
function combine(failures: readonly (readonly Finding[])[], place: Position): readonly Finding[] | undefined {
  const parts = failures.flatMap(findings => findings.find(one => weigh(one, place.level) > 1) ?? [])
  const [first] = parts
  if (first === undefined || failures.length < 2) return undefined
  const where = first.path.at(-1)
  const isAllThere = parts.every(({ path }) => path.length === first.path.length && path.at(-1) === where)
  return isAllThere ? [{ ...first, keyword: 'alternatives', schema: place.schema, parts }] : undefined
}
