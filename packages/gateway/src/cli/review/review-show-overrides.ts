import { onWire, showHints } from '../../catalog/review/hint-flags.ts'
import { exportOverrides, type ListedOverride, listOverrides } from '../../catalog/review/list-overrides.ts'
import type { Target } from '../../catalog/review/parse-target.ts'
import { idOf } from '../../catalog/review/review-item.ts'
import type { Desk } from '../client/review-desk.ts'
import type { Ending } from '../client/with-client.ts'
import { layTable } from '../show/lay-table.ts'
import { revealName, showTime } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { EXIT } from '../terminal/exit-codes.ts'

/** What is overridden now, all of it or for one target. */
export async function tellOverrides(
  { store, config }: Desk,
  target: Target | undefined,
  flags: { readonly json?: boolean; readonly export?: boolean },
): Promise<Ending> {
  const all = listOverrides(await store.overrides.list(), config.overrides)
  const meant = all.filter(
    ({ server, tool }) => target === undefined || (server === target.server && tool === target.name),
  )
  if (flags.export) return { code: EXIT.done, out: showJson(exportOverrides(meant)) }
  return { code: EXIT.done, out: flags.json ? showJson(meant.map(toJson)) : showOverrides(meant, target) }
}

function toJson({ hints, at, ...rest }: ListedOverride): object {
  return { ...rest, hints: onWire(hints), ...(at === undefined ? {} : { at: new Date(at).toISOString() }) }
}

function showOverrides(overrides: readonly ListedOverride[], target: Target | undefined): string {
  if (overrides.length === 0)
    return target === undefined
      ? 'No overrides. Set one with: hintgate tools override notes:read --set readOnlyHint=true\n'
      : `Nothing is overridden for ${revealName(target.typed)}.\n`
  const rows = overrides.map(override => [
    revealName(idOf({ server: override.server, name: override.tool })),
    showHints(override.hints),
    override.by === undefined ? override.from : revealName(override.by),
    override.at === undefined ? '' : showTime(override.at),
  ])
  return `${layTable([['ID', 'HINTS', 'BY', 'AT'], ...rows]).join('\n')}\n`
}
