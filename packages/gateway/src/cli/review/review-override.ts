import { nearest } from '@hintgate/metadata'
import { EVERYTHING, parseTarget, type Target } from '../../catalog/review/find-definition.ts'
import {
  editHints,
  exportOverrides,
  type ListedOverride,
  listOverrides,
  onWire,
  parseHintEdit,
  showHints,
} from '../../catalog/review/list-overrides.ts'
import { idOf } from '../../catalog/review/review-item.ts'
import {
  orThrowObjection,
  type ReviewCommandContext,
  readReviewer,
  throwObjection,
  withReviewContext,
} from '../client/review-context.ts'
import { revealName, showTime } from '../show/review-text.ts'
import { showJson, showTable } from '../show/show-json.ts'
import type { CommonFlags } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'

interface OverrideFlags extends CommonFlags {
  readonly set?: readonly string[]
  readonly clear?: readonly string[]
  readonly remove?: boolean
  readonly list?: boolean
  readonly export?: boolean
  readonly by?: string
}

export function override(typed: string | undefined, flags: OverrideFlags): Promise<Ending> {
  return withReviewContext(flags, async context => {
    const target = typed === undefined ? undefined : orThrowObjection(parseTarget(typed))
    refuseMisuse(target, flags)
    if (target !== undefined && isChange(flags)) await (flags.remove ? remove : edit)(context, target, flags)
    return tellOverrides(context, target, flags)
  })
}

function isChange({ set, clear, remove }: OverrideFlags): boolean {
  return set !== undefined || clear !== undefined || remove === true
}

function refuseMisuse(target: Target | undefined, flags: OverrideFlags): void {
  const refuse = (message: string, fix: string): never => throwObjection({ isUsage: true, message, fix })
  if (target?.fingerprint !== undefined)
    refuse('an override applies to every version of a tool', 'leave out the fingerprint')
  if (isChange(flags) && target === undefined)
    refuse('no tool to override', "name a tool (notes:read), or all of a server's tools (notes:*)")
  if (isChange(flags) && (flags.list || flags.export))
    refuse(
      '--list and --export change nothing',
      'set or clear hints in one command, and list overrides in another',
    )
  if (flags.remove && (flags.set ?? flags.clear) !== undefined)
    refuse('--remove removes all hints', 'to remove only some hints, use --clear')
}

async function edit(context: ReviewCommandContext, target: Target, flags: OverrideFlags): Promise<void> {
  const { server, name: tool } = target
  const wanted = orThrowObjection(parseHintEdit(flags.set ?? [], flags.clear ?? []))
  const by = orThrowObjection(readReviewer(flags.by))
  refuseUnknown(context, target)
  const { overrides } = context.store
  const before = (await overrides.list()).find(one => one.server === server && one.tool === tool)
  const hints = editHints(before?.hints ?? {}, wanted)
  if (Object.keys(hints).length > 0) await overrides.set({ server, tool, hints, by, at: Date.now() })
  else await overrides.remove(server, tool, { by, at: Date.now() })
}

async function remove(
  { store, config }: ReviewCommandContext,
  target: Target,
  flags: OverrideFlags,
): Promise<void> {
  const { server, name, typed } = target
  const by = orThrowObjection(readReviewer(flags.by))
  if (await store.overrides.remove(server, name, { by, at: Date.now() })) return
  const isWritten = config.overrides[server]?.[name] !== undefined
  throwObjection({
    isUsage: false,
    message: `${JSON.stringify(typed)} has no override set by this command`,
    fix: isWritten
      ? 'this override is in the config; change it there'
      : 'list all overrides with hintgate tools override --list',
  })
}

/**
 * Refuses an unknown tool, because a typo would otherwise go unnoticed. Tools of a server that was never listed cannot
 * be checked.
 */
function refuseUnknown({ known, servers }: ReviewCommandContext, { server, name }: Target): void {
  const names = known.filter(one => one.server === server && one.kind === 'tool').map(one => one.name)
  if (!servers.has(server) && names.length === 0) refuse('server', server, nearest(server, [...servers]))
  if (name === EVERYTHING || names.length === 0 || names.includes(name)) return
  const like = nearest(name, names)
  refuse('tool', idOf({ server, name }), like && idOf({ server, name: like }))
}

function refuse(what: string, name: string, like: string | undefined): never {
  const fix =
    like === undefined ? 'list the tools with hintgate tools list' : `did you mean ${JSON.stringify(like)}?`
  return throwObjection({ isUsage: false, message: `unknown ${what} ${JSON.stringify(name)}`, fix })
}

async function tellOverrides(
  { store, config }: ReviewCommandContext,
  target: Target | undefined,
  flags: OverrideFlags,
): Promise<Ending> {
  const all = listOverrides(await store.overrides.list(), config.overrides)
  const meant = all.filter(
    ({ server, tool }) => target === undefined || (server === target.server && tool === target.name),
  )
  if (flags.export) return { out: showJson(exportOverrides(meant)) }
  return { out: flags.json ? showJson(meant.map(toJson)) : showOverrides(meant, target) }
}

function toJson({ hints, at, ...rest }: ListedOverride): object {
  return { ...rest, hints: onWire(hints), at: at === undefined ? undefined : new Date(at).toISOString() }
}

function showOverrides(overrides: readonly ListedOverride[], target: Target | undefined): string {
  if (overrides.length === 0)
    return target === undefined
      ? 'No overrides. Set one, for example with hintgate tools override notes:read --set readOnlyHint=true\n'
      : `${revealName(target.typed)} has no overrides.\n`
  const rows = overrides.map(override => [
    revealName(idOf({ server: override.server, name: override.tool })),
    showHints(override.hints),
    override.by === undefined ? override.from : revealName(override.by),
    override.at === undefined ? '' : showTime(override.at),
  ])
  return showTable([['ID', 'HINTS', 'BY', 'AT'], ...rows])
}
