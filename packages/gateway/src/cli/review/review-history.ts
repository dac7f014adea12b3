import { HINTS } from '@hintgate/metadata'
import {
  describeHistory,
  type HistoryEntry,
  type VersionDiff,
} from '../../catalog/review/compare-versions.ts'
import { diffWords } from '../../catalog/review/diff-words.ts'
import { EVERYTHING, findDefinition, parseTarget } from '../../catalog/review/find-definition.ts'
import { onWire, showHints } from '../../catalog/review/list-overrides.ts'
import { idOf } from '../../catalog/review/review-item.ts'
import { layOut, type Question, type Sheet } from '../../catalog/review/sheet.ts'
import type {
  DefinitionKind,
  DefinitionVersion,
  OverrideChange,
  OverrideStore,
  Review,
  StoredDefinition,
} from '../../store/store.ts'
import { orThrowObjection, withReviewContext } from '../client/review-context.ts'
import { revealLine, revealName, showPrint, showTime } from '../show/review-text.ts'
import { layTitled, showJson } from '../show/show-json.ts'
import type { CommonFlags } from '../terminal/context.ts'
import { type Ending, paint } from '../terminal/output.ts'
import { showReviewPage } from './review-page.ts'

export function diff(typed: string, flags: CommonFlags & Question): Promise<Ending> {
  return withReviewContext(flags, async context => {
    const page = orThrowObjection(layOut(context, orThrowObjection(parseTarget(typed)), flags))
    return { out: flags.json ? showJson(toPageJson(page)) : showReviewPage(page, paint) }
  })
}

export function toPageJson({ stored, to, state, since, definition, ...rest }: Sheet): object {
  const { server, kind, name } = stored
  const from = since && { from: toVersionJson(since.from) }
  const changes = since && toDiffJson(since.diff)
  return { server, kind, name, state, ...from, to: toVersionJson(to), ...changes, definition, ...rest }
}

function toVersionJson({ fingerprint, firstSeenAt, review }: DefinitionVersion): object {
  return { fingerprint, firstSeen: toIso(firstSeenAt), review: toReviewJson(review) }
}

function toReviewJson(review: Review | undefined): object | undefined {
  return review && { ...review, at: toIso(review.at) }
}

function toIso(at: number): string {
  return new Date(at).toISOString()
}

function toDiffJson({ verdict, hints, texts, fields, isCut }: VersionDiff): object {
  return {
    verdict,
    hints: hints.map(({ hint, ...change }) => ({ hint: HINTS[hint].wire, ...change })),
    texts: texts.map(({ path, before, after }) => ({ path, parts: diffWords(before, after) })),
    fields,
    isCut: isCut || undefined,
  }
}

export function history(
  typed: string,
  flags: CommonFlags & { readonly kind?: DefinitionKind },
): Promise<Ending> {
  return withReviewContext(flags, async ({ known, store }) => {
    const stored = orThrowObjection(findDefinition(known, orThrowObjection(parseTarget(typed)), flags.kind))
    const entries = describeHistory(stored)
    const overrides = await loadOverrides(store.overrides, stored)
    const out = flags.json
      ? showJson(toJson(stored, entries, overrides))
      : `${showHistory(stored, entries)}${showOverrides(overrides)}`
    return { out }
  })
}

interface SignedOverride extends OverrideChange {
  readonly of: string
}

async function loadOverrides(
  store: OverrideStore,
  { server, kind, name }: StoredDefinition,
): Promise<readonly SignedOverride[]> {
  if (kind !== 'tool') return []
  const changes: SignedOverride[] = []
  for (const tool of [EVERYTHING, name])
    for (const change of await store.history(server, tool))
      changes.push({ ...change, of: idOf({ server, name: tool }) })
  return changes.toSorted((a, b) => a.at - b.at)
}

function toJson(
  { server, kind, name, isDisabled }: StoredDefinition,
  entries: readonly HistoryEntry[],
  overrides: readonly SignedOverride[],
): object {
  const versions = entries.map(({ firstSeenAt, lastSeenAt, review, ...rest }) => ({
    ...rest,
    state: stateOf(review),
    firstSeen: toIso(firstSeenAt),
    lastSeen: toIso(lastSeenAt),
    review: toReviewJson(review),
  }))
  const changes = overrides.map(({ of, hints, by, at }) => {
    return { of, hints: hints && onWire(hints), by, at: toIso(at) }
  })
  return { server, kind, name, isDisabled, versions, overrides: changes }
}

function showOverrides(overrides: readonly SignedOverride[]): string {
  if (overrides.length === 0) return ''
  const rows = overrides.map(({ of, hints, by, at }) => [
    showTime(at),
    revealName(of),
    hints === undefined ? 'removed' : showHints(hints),
    revealName(by),
  ])
  return `\n${layTitled([['OVERRIDDEN AT', 'ID', 'HINTS', 'BY'], ...rows], paint).join('\n')}\n`
}

function showHistory(stored: StoredDefinition, entries: readonly HistoryEntry[]): string {
  const notes = [
    ...(stored.current === undefined ? ['the server no longer has this definition'] : []),
    ...(stored.isDisabled ? ['disabled'] : []),
  ]
  const title = `${revealName(idOf(stored))} (${[stored.kind, ...notes].join(', ')})`
  const rows = entries.map((entry, index) => [
    entry.isCurrent ? '*' : '',
    showTime(entry.firstSeenAt),
    showPrint(entry.fingerprint),
    stateOf(entry.review),
    signatureOf(entry.review),
    index === 0 ? 'first seen' : revealLine(entry.changes.join(', ')),
  ])
  const table = layTitled([['', 'FIRST SEEN', 'FINGERPRINT', 'STATE', 'BY', 'CHANGED'], ...rows], paint)
  return `${[title, ...table, paint('dim', '* current version')].join('\n')}\n`
}

function stateOf(review: Review | undefined): string {
  return review?.verdict ?? 'not reviewed'
}

function signatureOf(review: Review | undefined): string {
  if (review === undefined) return ''
  const note = review.note === undefined ? '' : `: ${revealLine(review.note, 200)}`
  return `${revealName(review.by)}, ${showTime(review.at)}${note}`
}
