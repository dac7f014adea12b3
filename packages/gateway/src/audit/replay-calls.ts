import { setImmediate } from 'node:timers/promises'
import { assessTool, HINT_NAMES, type Source } from '@hintgate/metadata'
import type { Facts } from '../policy/facts/facts.ts'
import { factsOfThing, thingsOf } from '../policy/facts/request-facts.ts'
import type { PolicySet } from '../policy/rules/policy-set.ts'
import { verdictOn } from '../policy/rules/verdict-on.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { Store } from '../store/store.ts'
import { type AuditCall, viewCall } from './view-call.ts'

type Policies = Pick<PolicySet, 'fallback' | 'evaluate' | 'waiversOf'>

interface Comparison {
  /** The number of calls that were examined, newest first. */
  readonly calls: number
  /** The number of calls that were decided again, because enough of their data was recorded. */
  readonly judged: number
  readonly changes: readonly Replayed[]
}

interface Wanted {
  readonly before: Policies
  readonly after: Policies
  /** The number of calls to examine. */
  readonly last: number
  readonly since?: number | undefined
}

const PAGE = 500

export async function replayCalls(
  store: Pick<Store, 'audit' | 'definitions'>,
  { before, after, last, since }: Wanted,
): Promise<Comparison> {
  const find = await loadDefinitions(store)
  const changes: Replayed[] = []
  let [calls, judged] = [0, 0]
  let cursor: string | undefined
  do {
    const page = await store.audit.query({
      limit: Math.min(PAGE, last - calls),
      cursor,
      since,
    })
    for (const stored of page.calls) {
      const call = viewCall(stored)
      if (call === undefined) continue
      calls += 1
      const replayed = replayCall(call, { before, after, find })
      if (replayed === undefined) continue
      judged += 1
      if (replayed.before !== replayed.after) changes.push(replayed)
    }
    cursor = page.next
    // Yields to other work, because a gateway can run this while it serves calls.
    await setImmediate()
  } while (cursor !== undefined && calls < last)
  return { calls, judged, changes }
}

export async function loadDefinitions({ definitions }: Pick<Store, 'definitions'>): Promise<FindDefinition> {
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

type Verdict = 'allow' | 'confirm' | 'deny'

export interface Replayed {
  readonly request: string
  readonly time: string
  readonly agent: string
  readonly tool: string
  readonly before: Verdict
  readonly after: Verdict
  /** The rules that determined the new verdict. */
  readonly rules: readonly string[]
}

/** Finds a tool's definition at the time of the call, if it is still stored. */
export type FindDefinition = (server: string, tool: string, fingerprint: string | undefined) => unknown

/** Decides a call again. Undefined if the record is insufficient: the tool did not exist, or its definition was deleted. */
function replayCall(
  call: AuditCall,
  { before, after, find }: { before: Policies; after: Policies; find: FindDefinition },
): Replayed | undefined {
  const facts = factsOf(call, find)
  if (facts === undefined) return undefined
  const was = judge(before, facts, call)
  const would = judge(after, facts, call)
  const isWaiverAlike = was.waivedBy.length > 0 === would.waivedBy.length > 0
  return {
    request: call.request,
    time: call.time,
    agent: call.agent,
    tool: `${call.server}:${call.tool}`,
    // A waiver removes questions of the gateway as well, which policies alone do not ask.
    before: isWaiverAlike ? was.verdict : was.whole,
    after: isWaiverAlike ? would.verdict : would.whole,
    rules:
      would.waivedBy.length > 0
        ? would.waivedBy
        : (would.by.length > 0 ? would.by : was.by).map(({ id }) => id),
  }
}

/** Judges a call by policies, and then together with the questions that the gateway asked when the call was made. */
function judge(policies: Policies, facts: Facts, { verdict: recorded, reasons = [] }: AuditCall) {
  const judged = verdictOn(policies, facts)
  const own = recorded === 'confirm' ? rulesOf(reasons).filter(rule => !rule.startsWith('policy.')) : []
  const asking = [...own, ...(judged.verdict === 'confirm' ? judged.by.map(({ reason }) => reason.rule) : [])]
  if (judged.verdict === 'deny' || asking.length === 0)
    return { ...judged, whole: judged.verdict, waivedBy: [] }
  const waivers = policies.waiversOf(facts)
  const by = asking.map(rule => waivers.find(({ waives }) => waives.includes(rule)))
  const isQuiet = by.every(waiver => waiver !== undefined)
  return {
    ...judged,
    whole: isQuiet ? ('allow' as const) : ('confirm' as const),
    waivedBy: isQuiet ? [...new Set(by.map(({ id }) => id))] : [],
  }
}

/** Returns the names of the rules in recorded reasons. */
export function rulesOf(reasons: readonly unknown[]): readonly string[] {
  return reasons.flatMap(reason =>
    isJsonObject(reason) && typeof reason.rule === 'string' ? [reason.rule] : [],
  )
}

/** Reads the caller from `agent:NAME` or `person:NAME`; a name can contain colons. */
function agentOf({ agent: id }: AuditCall): Facts['agent'] {
  const colon = id.indexOf(':')
  return { id, name: id.slice(colon + 1), kind: id.startsWith('person:') ? 'person' : 'agent' }
}

/** Rebuilds the facts of a request for a resource or a prompt. The hints of its server at that time are unknown. */
function factsOfRequest(call: AuditCall): Facts | undefined {
  const args = isJsonObject(call.args) ? call.args : {}
  const [thing] = call.repeats === undefined ? thingsOf(call.tool, args) : []
  if (thing === undefined || call.server === '') return undefined
  return {
    agent: agentOf(call),
    server: { name: call.server, trust: 'reviewed' },
    tool: factsOfThing(thing),
    args,
    intent: undefined,
    set: call.set,
    session: { id: call.session ?? '', riskFactors: {} },
    now: Date.parse(call.time),
  }
}

/**
 * Rebuilds the facts of a call from its record. Masked arguments stay masked, and the session's risk factors are
 * unknown.
 */
export function factsOf(call: AuditCall, find: FindDefinition): Facts | undefined {
  if (call.door === 'method') return factsOfRequest(call)
  const definition = find(call.server, call.tool, call.fingerprint)
  // A row that counts repeated refusals has no arguments.
  const isCount = call.repeats !== undefined
  if (definition === undefined || call.hints === undefined || isCount) return undefined
  const assessed = assessTool(definition, { vouched: true })
  const hints = Object.fromEntries(
    HINT_NAMES.map(name => {
      const { value = false, source = 'default' } = call.hints?.[name] ?? {}
      return [name, { value, source: source as Source }]
    }),
  )
  const { title, category, riskLevel, variant, consequence } = assessed
  return {
    agent: agentOf(call),
    server: { name: call.server, trust: 'reviewed' },
    tool: {
      name: call.tool,
      title,
      variant,
      category,
      riskLevel,
      consequence,
      fingerprint: call.fingerprint ?? '',
      effective: { ...assessed.effective, ...hints },
    },
    args: isJsonObject(call.args) ? call.args : {},
    intent: isJsonObject(call.intent) ? call.intent : undefined,
    set: call.set,
    session: { id: call.session ?? '', riskFactors: {} },
    origin: call.origin && { ...call.origin, values: [], passage: '' },
    now: Date.parse(call.time),
  }
}
