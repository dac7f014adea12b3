import { HINTS } from '@hintgate/metadata'
import type { VersionDiff } from '../../catalog/review/compare-versions.ts'
import { diffWords } from '../../catalog/review/diff-words.ts'
import type { Sheet } from '../../catalog/review/sheet.ts'
import type { DefinitionVersion } from '../../store/store.ts'

/** What `hintgate tools diff --json` prints. */
export function toSheetJson({ stored, to, state, since, definition, ...rest }: Sheet): object {
  const { server, kind, name } = stored
  return {
    server,
    kind,
    name,
    state,
    ...(since === undefined ? {} : { from: toVersionJson(since.from) }),
    to: toVersionJson(to),
    ...(since === undefined ? {} : toDiffJson(since.diff)),
    definition,
    ...rest,
  }
}

function toVersionJson({ fingerprint, firstSeenAt, review }: DefinitionVersion): object {
  return {
    fingerprint,
    firstSeen: new Date(firstSeenAt).toISOString(),
    ...(review === undefined ? {} : { review: { ...review, at: new Date(review.at).toISOString() } }),
  }
}

function toDiffJson({ verdict, hints, texts, fields, isCut }: VersionDiff): object {
  return {
    verdict,
    hints: hints.map(({ hint, ...change }) => ({ hint: HINTS[hint].wire, ...change })),
    texts: texts.map(({ path, before, after }) => ({ path, parts: diffWords(before, after) })),
    fields,
    ...(isCut ? { isCut } : {}),
  }
}
