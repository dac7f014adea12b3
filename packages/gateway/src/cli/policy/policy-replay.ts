import { showUntrusted } from '@hintgate/metadata'
import { type Replayed, replayCalls } from '../../audit/replay-calls.ts'
import { loadPolicies, loadRules } from '../../config/load-rules.ts'
import { layTable, showJson } from '../show/show-json.ts'
import { allBut, type CommonFlags, withStore } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'

type ReplayFlags = CommonFlags & { readonly last?: number }

export function replay(files: readonly string[], flags: ReplayFlags): Promise<Ending> {
  return withStore({ ...flags, skip: allBut('store', 'policies', 'policyDefault') }, async context => {
    const { policies: before } = await loadRules(context)
    const after = await loadPolicies({
      config: { ...context.config, policies: files },
      folder: process.cwd(),
    })
    const found = await replayCalls(context.store, { before, after, last: flags.last ?? 1000 })
    const { calls, judged, changes } = found
    const summary = { calls, judged, changed: changes.length }
    return { out: flags.json ? showJson({ ...summary, changes }) : show(summary, changes) }
  })
}

function show(
  { calls, judged, changed }: Record<'calls' | 'judged' | 'changed', number>,
  changes: readonly Replayed[],
): string {
  const skipped = calls - judged
  const notes = [
    `Replayed ${judged} recorded ${judged === 1 ? 'call' : 'calls'}: ${changed} would get a different verdict.`,
    ...(skipped === 0 ? [] : [`Skipped ${skipped}, because their tools are not in the catalog.`]),
    "Rules about session risk are not replayed, because the log does not record sessions' risk factors.",
  ]
  return `${[...layGroups(changes), ...notes].join('\n')}\n`
}

function layGroups(changes: readonly Replayed[]): readonly string[] {
  if (changes.length === 0) return []
  const groups = new Map<string, { readonly first: Replayed; count: number }>()
  for (const change of changes) {
    const { agent, tool, before, after, rules } = change
    const key = JSON.stringify([agent, tool, before, after, rules])
    const group = groups.get(key) ?? { first: change, count: 0 }
    group.count += 1
    groups.set(key, group)
  }
  const rows = [...groups.values()]
    .toSorted((a, b) => b.count - a.count)
    .map(({ first, count }) => [
      String(count),
      first.agent,
      showUntrusted(first.tool, 80),
      `${first.before} → ${first.after}`,
      first.rules.join(', '),
    ])
  return [...layTable([['CALLS', 'AGENT', 'TOOL', 'CHANGE', 'BY'], ...rows]), '']
}
