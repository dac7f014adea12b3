import {
  explainToolless,
  findToolless,
  letSpeak,
  listWaiting,
  type Waiting,
} from '../../catalog/review/list-waiting.ts'
import { assessItems, idOf } from '../../catalog/review/review-item.ts'
import type { Contradiction } from '../../catalog/to-catalog-tool.ts'
import { type ReviewCommandContext, withReviewContext } from '../client/review-context.ts'
import { revealLine, revealName, showPrint, showTime } from '../show/review-text.ts'
import { layTitled, showJson } from '../show/show-json.ts'
import type { CommonFlags } from '../terminal/context.ts'
import { type Ending, type Paint, paint } from '../terminal/output.ts'

const HEAD = ['STATE', 'KIND', 'ID', 'FINGERPRINT', 'CHANGED', 'FINDINGS', 'FIRST SEEN']

interface Row extends Waiting {
  readonly contradictions: readonly Contradiction[]
}

export function review(flags: CommonFlags & { readonly server?: readonly string[] }): Promise<Ending> {
  return withReviewContext(flags, async context => {
    const { items, known, servers } = context
    const meant = new Set(flags.server ?? servers)
    const rows = withContradictions(listWaiting(items, known, meant), context, meant)
    if (flags.json) return { out: showJson(rows.map(toJson)) }
    const elsewhere = items.filter(
      ({ stored, state }) => flags.server === undefined && !meant.has(stored.server) && state !== 'approved',
    )
    const others = new Set(elsewhere.map(({ stored }) => stored.server))
    const unheard = findToolless(context).filter(server => meant.has(server))
    const err = showUnheard(unheard) + showOthers(elsewhere.length, others)
    return { out: showWaiting(rows, paint), err }
  })
}

function withContradictions(
  waiting: readonly Waiting[],
  { items, config, overrides }: ReviewCommandContext,
  servers: ReadonlySet<string>,
): readonly Row[] {
  if (waiting.length === 0) return []
  const overrideOf = (server: string, tool: string) => overrides.find(server, tool, config.overrides)
  const meant = items.filter(({ stored }) => servers.has(stored.server))
  const assessed = assessItems(meant, { profile: config.profile, overrideOf })
  const found = new Map(assessed.map(({ item, contradictions }) => [idOf(item.stored), contradictions]))
  return waiting.map(one => {
    return { ...one, contradictions: (one.kind === 'tool' ? found.get(idOf(one)) : undefined) ?? [] }
  })
}

function toJson({ firstSeenAt, ...rest }: Row): object {
  return { ...rest, firstSeen: new Date(firstSeenAt).toISOString() }
}

function showWaiting(rows: readonly Row[], paint: Paint): string {
  const waiting = rows.filter(({ notice }) => notice === undefined)
  const notices = rows.filter(({ notice }) => notice !== undefined)
  const parts = [
    waiting.length === 0 ? 'Nothing waits for review.\n' : showHeld(waiting, paint),
    ...(notices.length === 0 ? [] : [showNotices(notices, paint)]),
  ]
  return parts.join('\n')
}

const NOTICE_HEAD = ['NOTICE', 'ID', 'FINGERPRINT', 'CHANGED', 'FIRST SEEN']

/** Shows tools that agents can call and that might do more than their reviewer knew. */
function showNotices(notices: readonly Row[], paint: Paint): string {
  const rows = notices.map(one => [
    one.notice ?? '',
    nameOf(one),
    showPrint(one.fingerprint),
    revealName(one.changes.join(', ')) || '–',
    showTime(one.firstSeenAt),
  ])
  return `${[...layTitled([NOTICE_HEAD, ...rows], paint), '', paint('dim', ABOUT_NOTICES)].join('\n')}\n`
}

const ABOUT_NOTICES =
  'These tools only became stricter, so they were accepted and can be called. To acknowledge a change, run hintgate tools approve ID@FINGERPRINT.'

function showHeld(waiting: readonly Row[], paint: Paint): string {
  const reasons = waiting.flatMap(one => [
    ...(one.shadowing === undefined ? [] : [`${nameOf(one)}: ${one.shadowing}`]),
    ...one.contradictions.map(({ text }) => `${nameOf(one)}: ${text}`),
  ])
  const blocks = [
    layTitled([HEAD, ...waiting.map(toRow)], paint),
    reasons.map(reason => paint('red', revealLine(reason))),
    [paint('dim', NEXT)],
  ]
  return `${blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join('\n\n')}\n`
}

const NEXT = 'Review with hintgate tools diff ID, then run hintgate tools approve ID@FINGERPRINT or reject.'

function toRow(one: Waiting): readonly string[] {
  return [
    one.state,
    one.kind,
    nameOf(one),
    showPrint(one.fingerprint),
    revealName(one.changes.join(', ')) || '–',
    `${one.findings}${one.isSuspicious ? ' suspicious' : ''}`,
    showTime(one.firstSeenAt),
  ]
}

function nameOf(one: Waiting): string {
  return revealName(idOf(one))
}

function showUnheard(servers: readonly string[]): string {
  return servers.map(server => `hintgate: ${explainToolless(server)}: ${letSpeak(server)}\n`).join('')
}

function showOthers(count: number, servers: ReadonlySet<string>): string {
  if (count === 0) return ''
  const names = [...servers].map(server => `--server ${server}`).join(' ')
  return `hintgate: ${count} more definitions belong to servers that are not in the config; to list them, use ${names}\n`
}
