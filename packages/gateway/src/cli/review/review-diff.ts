import { HINTS } from '@hintgate/metadata'
import type { VersionDiff } from '../../catalog/review/compare-versions.ts'
import { diffWords } from '../../catalog/review/diff-words.ts'
import { isObjection, parseTarget } from '../../catalog/review/find-definition.ts'
import { layOut, type Question, type Sheet } from '../../catalog/review/sheet.ts'
import type { DefinitionVersion } from '../../store/store.ts'
import { endWith, type ReviewFlags, withDesk } from '../client/review-desk.ts'
import { showJson } from '../show/show-json.ts'
import { createPaint, EXIT } from '../terminal/output.ts'
import { showSheet } from './review-show-sheet.ts'

export interface DiffFlags extends ReviewFlags, Question {}

const paint = createPaint(process.stdout, process.env)

/** `hintgate tools diff`. */
export function diff(typed: string, flags: DiffFlags): Promise<void> {
  return withDesk(flags, async desk => {
    const target = parseTarget(typed)
    if (isObjection(target)) return endWith(target)
    const sheet = layOut(desk, target, flags)
    if (isObjection(sheet)) return endWith(sheet)
    return { code: EXIT.done, out: flags.json ? showJson(toSheetJson(sheet)) : showSheet(sheet, paint) }
  })
}

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
