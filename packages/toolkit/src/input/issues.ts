import { nearest } from '@hintgate/metadata'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** One thing that is wrong with arguments, and where: `address.lines[2]`. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** Every issue with the name of its field, in words that help whoever must mend the call. */
export function readIssues(
  issues: readonly StandardSchemaV1.Issue[],
  known: readonly string[],
): readonly Issue[] {
  return issues.flatMap(issue => {
    const path = joinPath(issue.path ?? [])
    const strangers = unrecognisedKeys(issue)
    if (strangers === undefined) return [{ path, message: issue.message.replace(/^Invalid input: /, '') }]
    return strangers.map(key => ({
      path: path === '' ? key : `${path}.${key}`,
      message: `there is no such argument${path === '' ? suggest(key, known) : ''}`,
    }))
  })
}

export function showIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
}

type Segment = PropertyKey | StandardSchemaV1.PathSegment

function joinPath(segments: readonly Segment[]): string {
  const keys = segments.map(segment => (typeof segment === 'object' ? segment.key : segment))
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    return path === '' ? String(key) : `${path}.${String(key)}`
  }, '')
}

/** Zod names unknown keys beside the path, not in it. */
function unrecognisedKeys(issue: StandardSchemaV1.Issue): readonly string[] | undefined {
  if (!('code' in issue && issue.code === 'unrecognized_keys' && 'keys' in issue)) return undefined
  return Array.isArray(issue.keys) ? issue.keys.map(String) : undefined
}

function suggest(key: string, known: readonly string[]): string {
  const meant = nearest(key, known)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
