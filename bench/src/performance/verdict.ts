// The cost of a complete verdict alone: fifty policies, ten guardrails, session risk, confirmation.
import { assessTool } from '@hintgate/metadata'
import { LOADED_GUARDRAILS, loadedPolicies } from './loaded-profile.ts'

export interface VerdictFigures {
  /** CPU microseconds of one verdict. */
  readonly micros: number
}

/** The gateway does not export these, because nothing else outside the gateway imports them. */
interface Parts {
  readonly decide: (about: object, rules: object) => { readonly verdict: string }
  readonly parsePolicies: (files: readonly object[]) => { set: object; problems: readonly object[] }
  readonly compileGuardrails: (sources: readonly object[]) => {
    guardrails: object
    problems: readonly object[]
  }
}

const WARM_UP = 20_000
const ROUNDS = 9
const CALLS = 10_000

export async function measureVerdict(): Promise<VerdictFigures> {
  const { decide, parsePolicies, compileGuardrails } = await loadParts()
  const policies = parsePolicies([{ path: 'loaded.yaml', text: loadedPolicies() }])
  const guards = compileGuardrails([{ layer: 'global', path: ['guardrails'], rules: LOADED_GUARDRAILS }])
  const problems = [...policies.problems, ...guards.problems]
  if (problems.length > 0) throw new Error(`The profile is invalid: ${JSON.stringify(problems)}`)
  const rules = {
    version: 'bench',
    intent: 'strict',
    confirm: CONFIRM,
    policies: policies.set,
    guardrails: guards.guardrails,
  }
  const run = (calls: number): void => {
    for (let at = 0; at < calls; at++)
      if (decide(caseAt(at), rules).verdict !== 'allow') throw new Error('This call must be allowed.')
  }
  run(WARM_UP)
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    run(CALLS)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / CALLS
  })
  // The fastest round counts, because other work on the machine only adds time.
  return { micros: Math.min(...rounds) }
}

const CONFIRM = {
  read: 'never',
  write: 'never',
  destructive: 'always',
  trifecta: 'declared',
  channel: 'any',
  remember: [],
}

const ASSESSED = assessTool(
  { name: 'send_message', annotations: { readOnlyHint: false, destructiveHint: false } },
  { vouched: true },
)
const AGENT = { id: 'agent:bench', name: 'bench', kind: 'agent' }
const SERVER = { name: 'up0', trust: 'trusted' }
const SCOPE = { permissions: ['call_tool_read', 'call_tool_write', 'call_tool_destructive'], servers: ['*'] }
const TOOL = { ...ASSESSED, fingerprint: 'bench' }

/** The facts that the corridor collects for every call. */
function caseAt(at: number): object {
  return {
    agent: AGENT,
    server: SERVER,
    tool: TOOL,
    args: { to: 'ada@example.com', message: `Your parcel number ${at} is on its way.`, amount: at % 1000 },
    intent: undefined,
    session: { id: 'agent:bench', riskFactors: {} },
    now: 1_790_000_000_000 + at,
    scope: SCOPE,
    claim: undefined,
  }
}

async function loadParts(): Promise<Parts> {
  const load = async (path: string): Promise<object> =>
    (await import(new URL(`../../../packages/gateway/dist/policy/${path}`, import.meta.url).href)) as object
  const paths = ['decide.js', 'rules/parse-policies.js', 'guardrails/compile-guardrails.js']
  return Object.assign({}, ...(await Promise.all(paths.map(load)))) as Parts
}
