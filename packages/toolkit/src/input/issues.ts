import { nearest } from '@hintgate/metadata'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** A problem with the arguments, with a path such as `address.lines[2]`. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** Lists every issue with the field's path and a message that helps the caller correct the arguments. */
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
      message: `unknown argument${path === '' ? suggest(key, known) : ''}`,
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

/** Returns the unknown keys that an issue is about. Zod lists them separately and not in the path. */
function unrecognisedKeys(issue: StandardSchemaV1.Issue): readonly string[] | undefined {
  if (!('code' in issue && issue.code === 'unrecognized_keys' && 'keys' in issue)) return undefined
  return Array.isArray(issue.keys) ? issue.keys.map(String) : undefined
}

function suggest(key: string, known: readonly string[]): string {
  const meant = nearest(key, known)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
