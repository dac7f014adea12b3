import { showUntrusted } from '@hintgate/metadata'
import { type AuditCall, viewCall } from '../audit/view-call.ts'
import { HintgateError } from '../errors.ts'
import { loadRules } from '../rules/load-rules.ts'
import { type FindDefinition, type Replayed, replayCall } from '../rules/replay.ts'
import type { Store } from '../store/store.ts'
import { parsePolicies } from '../verdict/policy/parse-policies.ts'
import { readPolicyFiles } from '../verdict/policy/read-policy-files.ts'
import { type Context, type PlaceFlags, reportError, withStore } from './context.ts'
import { EXIT } from './exit-codes.ts'
import { write } from './output.ts'
import { layTable } from './show/lay-table.ts'

export interface ReplayFlags extends PlaceFlags {
  readonly last?: number
  readonly json?: boolean
}

const PAGE = 500

/** `hintgate policy replay`: what other policies would have done to recorded calls. */
export async function replay(files: readonly string[], flags: ReplayFlags): Promise<void> {
  try {
    await withStore({ ...flags, skip: isOfNoInterest }, context => compare(files, flags, context))
    process.exitCode = EXIT.done
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

const SECTIONS = new Set<string | number>(['store', 'policies', 'policyDefault'])

function isOfNoInterest([section = '']: readonly (string | number)[]): boolean {
  return !SECTIONS.has(section)
}

async function compare(files: readonly string[], flags: ReplayFlags, context: Context): Promise<void> {
  const { policies: before } = await loadRules(context)
  const after = readNew(files, context.config.policyDefault)
  const find = await loadDefinitions(context.store)
  const calls = await lastCalls(context.store, flags.last ?? 1000)
  const replayed = calls.map(call => replayCall(call, { before, after, find }))
  const known = replayed.filter(one => one !== undefined)
  const changes = known.filter(one => one.before !== one.after)
  const summary = { calls: calls.length, judged: known.length, changed: changes.length }
  if (flags.json) await write(`${JSON.stringify({ ...summary, changes }, null, 2)}\n`)
  else await write(show(summary, changes))
}

function readNew(files: readonly string[], fallback: 'allow' | 'deny') {
  const read = readPolicyFiles(files, process.cwd())
  const { set, problems } = parsePolicies(read.files, { fallback })
  const all = [...read.problems, ...problems]
  if (all.length > 0) throw new HintgateError('policy_invalid', { problems: all })
  return set
}

/** Every version of every tool that was ever seen. */
async function loadDefinitions({ definitions }: Store): Promise<FindDefinition> {
  const known = new Map<string, string>()
  for (const server of await definitions.servers())
    for (const { kind, name, versions } of await definitions.load(server))
      if (kind === 'tool')
        for (const { fingerprint, definition } of versions)
          known.set(JSON.stringify([server, name, fingerprint]), definition)
  return (server, tool, fingerprint) => {
    const text = known.get(JSON.stringify([server, tool, fingerprint]))
    return text === undefined ? undefined : JSON.parse(text)
  }
}

/** Newest first. */
async function lastCalls({ audit }: Store, wanted: number): Promise<readonly AuditCall[]> {
  const calls: AuditCall[] = []
  let cursor: string | undefined
  do {
    const limit = Math.min(PAGE, wanted - calls.length)
    const page = await audit.query({ limit, ...(cursor === undefined ? {} : { cursor }) })
    for (const stored of page.calls) {
      const call = viewCall(stored)
      if (call !== undefined) calls.push(call)
    }
    cursor = page.next
  } while (cursor !== undefined && calls.length < wanted)
  return calls
}

interface Summary {
  readonly calls: number
  readonly judged: number
  readonly changed: number
}

function show({ calls, judged, changed }: Summary, changes: readonly Replayed[]): string {
  const skipped = calls - judged
  const notes = [
    `${judged} recorded ${judged === 1 ? 'call' : 'calls'} judged anew, ${changed} would end otherwise.`,
    ...(skipped === 0 ? [] : [`${skipped} left out: their tool was never known, or is no longer.`]),
    'Sessions are not recorded: rules on what a session has touched do not speak here.',
  ]
  return `${[...layGroups(changes), ...notes].join('\n')}\n`
}

/** The same change of the same agent and tool is one line. */
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
