import { describeHistory, type HistoryEntry } from '../../catalog/review/compare-versions.ts'
import { EVERYTHING, findDefinition, isObjection, parseTarget } from '../../catalog/review/find-definition.ts'
import { onWire, showHints } from '../../catalog/review/list-overrides.ts'
import { idOf } from '../../catalog/review/review-item.ts'
import type {
  DefinitionKind,
  OverrideChange,
  OverrideStore,
  Review,
  StoredDefinition,
} from '../../store/store.ts'
import { endWith, type ReviewFlags, withDesk } from '../client/review-desk.ts'
import { layTable } from '../show/lay-table.ts'
import { revealLine, revealName, showPrint, showTime } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { createPaint, EXIT } from '../terminal/output.ts'

export interface HistoryFlags extends ReviewFlags {
  readonly kind?: DefinitionKind
}

const paint = createPaint(process.stdout, process.env)

/** `hintgate tools history`. */
export function history(typed: string, flags: HistoryFlags): Promise<void> {
  return withDesk(flags, async ({ known, store }) => {
    const target = parseTarget(typed)
    if (isObjection(target)) return endWith(target)
    const stored = findDefinition(known, target, flags.kind)
    if (isObjection(stored)) return endWith(stored)
    const entries = describeHistory(stored)
    const overrides = await loadOverrides(store.overrides, stored)
    const out = flags.json
      ? showJson(toJson(stored, entries, overrides))
      : `${showHistory(stored, entries)}${showOverrides(overrides)}`
    return { code: EXIT.done, out }
  })
}

/** What was said of the tool, and of all tools of its server. */
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
    firstSeen: new Date(firstSeenAt).toISOString(),
    lastSeen: new Date(lastSeenAt).toISOString(),
    ...(review === undefined ? {} : { review: { ...review, at: new Date(review.at).toISOString() } }),
  }))
  const changes = overrides.map(({ of, hints, by, at }) => ({
    of,
    ...(hints === undefined ? {} : { hints: onWire(hints) }),
    by,
    at: new Date(at).toISOString(),
  }))
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
  const [head = '', ...lines] = layTable([['OVERRIDDEN AT', 'ID', 'HINTS', 'BY'], ...rows])
  return `\n${[paint('bold', head), ...lines].join('\n')}\n`
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
