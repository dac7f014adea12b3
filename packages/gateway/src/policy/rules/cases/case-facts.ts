import {
  type Basis,
  CATEGORIES,
  type Category,
  type Consequence,
  categoryOf,
  consequencesOf,
  deriveVariant,
  type EffectiveRecord,
  fingerprint,
  type HintName,
  type HintValues,
  humaniseName,
  inferTool,
  type Operation,
  type RiskFactor,
  resolveEffective,
  riskLevelOf,
  type ServiceDomain,
  type Sourced,
} from '@hintgate/metadata'
import type { Json } from '../../../protocol/messages.ts'
import type { Facts, OriginFacts, ToolFacts } from '../../facts/facts.ts'
import { factsOfThing, type Thing } from '../../facts/request-facts.ts'

/** A call as a test case describes it. Everything that the case leaves out has an ordinary default. */
export interface ToldCall {
  /** Absent for a tool. */
  readonly kind?: Thing['kind']
  readonly server: string
  /** The tool, the prompt, or the URI of the resource. */
  readonly tool: string
  readonly agent?: string
  readonly hints?: Readonly<Partial<Record<HintName, boolean | Sourced<boolean>>>>
  readonly operations?: readonly Operation[]
  readonly domains?: readonly ServiceDomain[]
  readonly consequence?: readonly Consequence[]
  /** How specifically text that the agent has read asks for the call. */
  readonly origin?: 'target' | 'occasion' | 'kind'
  readonly args?: Json
  readonly intent?: NonNullable<Facts['intent']>
  readonly session?: Readonly<Partial<Record<RiskFactor, Basis | 'none'>>>
  /** The time of the call, in milliseconds since the epoch. */
  readonly now?: number
}

/** The default time of a call: a fixed Monday at noon, so that a case gives the same result every day. */
const SOME_MONDAY = Date.parse('2026-01-05T12:00:00Z')

/**
 * Returns the facts of the call in a test case. The tool is assessed in the way that the gateway would assess it after
 * approval.
 */
export function factsOf(told: ToldCall): Facts {
  const { agent = 'agent', server, session = {} } = told
  const riskFactors = Object.entries(session).filter(([, basis]) => basis !== 'none')
  return {
    agent: { id: agent, name: agent, kind: 'agent' },
    server: { name: server, trust: 'reviewed' },
    tool: judgeTool(told),
    args: told.args ?? argsOf(told),
    intent: told.intent,
    session: {
      id: 'case',
      riskFactors: Object.fromEntries(
        riskFactors.map(([factor, basis]) => [factor, { tool: 'case', request: 'case', at: 0, basis }]),
      ),
    },
    origin: told.origin && originOf(told.origin),
    now: told.now ?? SOME_MONDAY,
  }
}

function originOf(kind: NonNullable<ToldCall['origin']>): OriginFacts {
  const from = { server: 'case', tool: 'case', request: 'case', at: 0, passage: '' }
  return { kind, argument: '', values: [], ...from }
}

/** The arguments of a request for a resource or a prompt always name it. */
function argsOf({ kind, tool }: ToldCall): Json {
  if (kind === undefined) return {}
  return kind === 'resource' ? { uri: tool } : { name: tool }
}

function judgeTool(told: ToldCall): ToolFacts {
  if (told.kind !== undefined) return factsOfThing({ kind: told.kind, name: told.tool }, judgeHints(told))
  const definition = { name: told.tool }
  const effective = judgeHints(told)
  const variant = deriveVariant(effective)
  return {
    name: told.tool,
    title: humaniseName(told.tool),
    variant,
    category: worse(
      variant === 'call_tool_destructive' ? 'delete' : variant === 'call_tool_write' ? 'write' : 'read',
      variant === 'call_tool_read' ? 'read' : categoryOf(effective.operations.value),
    ),
    riskLevel: riskLevelOf(variant),
    fingerprint: fingerprint(definition),
    effective,
    consequence: consequencesOf(definition, told.consequence),
  }
}

/**
 * Returns the effective record of the tool in a test case. Plain values count as declared and vouched for. Missing
 * hints are inferred from the tool's name, or have their default.
 */
function judgeHints({ tool, hints = {}, operations, domains }: ToldCall): EffectiveRecord {
  const entries = Object.entries(hints)
  const declared: HintValues = Object.fromEntries(entries.filter(([, hint]) => typeof hint === 'boolean'))
  const effective = resolveEffective({
    declared: {
      hints: declared,
      ...(operations !== undefined && { operations }),
      ...(domains !== undefined && { serviceDomains: domains }),
    },
    inferred: inferTool({ name: tool }),
    vouched: true,
  })
  return { ...effective, ...Object.fromEntries(entries.filter(([, hint]) => typeof hint !== 'boolean')) }
}

function worse(a: Category, b: Category): Category {
  return CATEGORIES[a].riskLevel >= CATEGORIES[b].riskLevel ? a : b
}
