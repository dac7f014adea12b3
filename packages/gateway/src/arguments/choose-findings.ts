import type { Finding } from './finding.ts'

/** Where the alternatives were tried: how many steps down, and by which schema. */
interface Place {
  readonly level: number
  readonly schema: unknown
}

/** Findings about the value as such: whoever sent it did not have this alternative in mind. */
const SORT = new Set(['type', 'const', 'enum', 'false', 'alternatives'])
const WRONG_SORT = 10_000
/** `kind: "circle"` at the top of an object tells alternatives apart. */
const WRONG_TAG = 1_000

/**
 * What to say when a value fits none of several alternatives: what is wrong with the one that it came closest to. When it is
 * close to none, what each of them wanted at the one place where they all disagree with it.
 */
export function chooseFindings(failures: readonly (readonly Finding[])[], place: Place): readonly Finding[] {
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

/** One finding for all, if what keeps them all away is the sort of one and the same value. */
function combine(failures: readonly (readonly Finding[])[], place: Place): readonly Finding[] | undefined {
  const parts = failures.flatMap(findings => findings.find(one => weigh(one, place.level) > 1) ?? [])
  const [first] = parts
  if (first === undefined || failures.length < 2) return undefined
  const where = first.path.at(-1)
  const isAllThere = parts.every(({ path }) => path.length === first.path.length && path.at(-1) === where)
  return isAllThere ? [{ ...first, keyword: 'alternatives', schema: place.schema, parts }] : undefined
}
