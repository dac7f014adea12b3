import { describeHistory, type HistoryEntry } from '../review/describe-history.ts'
import { findDefinition } from '../review/find-definition.ts'
import { isObjection } from '../review/objection.ts'
import { parseTarget } from '../review/parse-target.ts'
import { idOf } from '../review/review-item.ts'
import type { DefinitionKind, Review, StoredDefinition } from '../store/store.ts'
import { createPaint } from './colours.ts'
import { EXIT } from './exit-codes.ts'
import { endWith, type ReviewFlags, withDesk } from './review-desk.ts'
import { revealLine, revealName, showPrint, showTime } from './review-text.ts'
import { layTable } from './show/lay-table.ts'
import { showJson } from './show/show-json.ts'

export interface HistoryFlags extends ReviewFlags {
  readonly kind?: DefinitionKind
}

const paint = createPaint(process.stdout, process.env)

/** `hintgate tools history`. */
export function history(typed: string, flags: HistoryFlags): Promise<void> {
  return withDesk(flags, async ({ known }) => {
    const target = parseTarget(typed)
    if (isObjection(target)) return endWith(target)
    const stored = findDefinition(known, target, flags.kind)
    if (isObjection(stored)) return endWith(stored)
    const entries = describeHistory(stored)
    const out = flags.json ? showJson(toJson(stored, entries)) : showHistory(stored, entries)
    return { code: EXIT.done, out }
  })
}

function toJson(
  { server, kind, name, isDisabled }: StoredDefinition,
  entries: readonly HistoryEntry[],
): object {
  const versions = entries.map(({ firstSeenAt, lastSeenAt, review, ...rest }) => ({
    ...rest,
    state: stateOf(review),
    firstSeen: new Date(firstSeenAt).toISOString(),
    lastSeen: new Date(lastSeenAt).toISOString(),
    ...(review === undefined ? {} : { review: { ...review, at: new Date(review.at).toISOString() } }),
  }))
  return { server, kind, name, isDisabled, versions }
}

function showHistory(stored: StoredDefinition, entries: readonly HistoryEntry[]): string {
  const notes = [
    ...(stored.current === undefined ? ['the server no longer has it'] : []),
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
  const [head = '', ...lines] = layTable([
    ['', 'FIRST SEEN', 'FINGERPRINT', 'STATE', 'BY', 'CHANGED'],
    ...rows,
  ])
  return `${[title, paint('bold', head), ...lines, paint('dim', '* what the server has now')].join('\n')}\n`
}

function stateOf(review: Review | undefined): string {
  return review?.verdict ?? 'not reviewed'
}

function signatureOf(review: Review | undefined): string {
  if (review === undefined) return ''
  const note = review.note === undefined ? '' : `: ${revealLine(review.note, 200)}`
  return `${revealName(review.by)}, ${showTime(review.at)}${note}`
}
