import type { Operation } from '../derive/operations.ts'
import type { EffectiveHints, EffectiveRecord, Sourced } from '../record/tool-record.ts'

/** The three parts of the lethal trifecta. A session that has touched all of them can leak private data. */
export const RISK_FACTORS = ['private_data', 'untrusted_content', 'external_communication'] as const

export type RiskFactor = (typeof RISK_FACTORS)[number]

/**
 * The certainty that a tool has a risk factor. `assumed` means that the tool did not declare it: it was inferred, or
 * cannot be ruled out.
 */
export type Basis = 'declared' | 'assumed'

/** The call that brought a risk factor into a session. */
export interface RiskFactorMark {
  readonly tool: string
  readonly request: string
  readonly at: number
  readonly basis: Basis
}

export type SessionRiskFactors = { readonly [F in RiskFactor]?: RiskFactorMark }

/** A tool's hints, and its operations if they are known. */
export type RiskyTool = EffectiveHints & Partial<Pick<EffectiveRecord, 'operations'>>

/**
 * The risk factors that a call to a tool brings into its session.
 *
 * An open-world tool brings in untrusted content. Its egress hint says whether it communicates externally. If that hint
 * is unknown, an open-world tool counts as communicating externally unless it is read-only. A tool that only creates
 * things mainly sends data out, so the untrusted content in its answer is only assumed, even if the tool is declared
 * open-world.
 *
 * @example
 * import { riskFactorsOf, resolveEffective } from '@hintgate/metadata'
 * const web = { hints: { readOnly: true, openWorld: true, sensitive: false } }
 * riskFactorsOf(resolveEffective({ declared: web, vouched: true })) // => { untrusted_content: 'declared' }
 */
export function riskFactorsOf({
  sensitive,
  openWorld,
  egress,
  readOnly,
  operations,
}: RiskyTool): Readonly<Partial<Record<RiskFactor, Basis>>> {
  const sendsOut = egress.source === 'default' ? weakest(openWorld, not(readOnly)) : egress
  return {
    ...(sensitive.value ? { private_data: basisOf(sensitive) } : {}),
    ...(openWorld.value
      ? { untrusted_content: onlyCreates(operations?.value) ? 'assumed' : basisOf(openWorld) }
      : {}),
    ...(sendsOut.value ? { external_communication: basisOf(sendsOut) } : {}),
  }
}

/**
 * Returns a session's risk factors after a call. None is ever removed, because what was read cannot be unread. A
 * declared risk factor replaces an assumed one.
 *
 * @example
 * import { addRiskFactors, resolveEffective, viewRisk } from '@hintgate/metadata'
 * const declared = { hints: { readOnly: true, openWorld: true, sensitive: false } }
 * const call = { tool: 'web:fetch', request: 'r-1', at: 0 }
 * const riskFactors = addRiskFactors({}, resolveEffective({ declared, vouched: true }), call)
 * riskFactors.untrusted_content?.tool // => 'web:fetch'
 * viewRisk(riskFactors).level // => 'some'
 */
export function addRiskFactors(
  riskFactors: SessionRiskFactors,
  effective: RiskyTool,
  call: Pick<RiskFactorMark, 'tool' | 'request' | 'at'>,
): SessionRiskFactors {
  let added: { -readonly [F in RiskFactor]?: RiskFactorMark } | undefined
  const brought = riskFactorsBroughtBy(effective)
  const { tool, request, at } = call
  for (const factor of RISK_FACTORS) {
    const basis = brought[factor]
    if (basis === undefined) continue
    const before = riskFactors[factor]
    const isNews = before === undefined || (before.basis === 'assumed' && basis === 'declared')
    if (!isNews) continue
    added ??= { ...riskFactors }
    added[factor] = { tool, request, at, basis }
  }
  return added ?? riskFactors
}

/**
 * Merges two records of the same session. A declared risk factor is kept, whichever record contains it.
 *
 * @example
 * import { mergeRiskFactors } from '@hintgate/metadata'
 * const mark = { tool: 'web:fetch', request: 'r-1', at: 0 }
 * const assumed = { untrusted_content: { ...mark, basis: 'assumed' } } as const
 * const declared = { untrusted_content: { ...mark, basis: 'declared' } } as const
 * mergeRiskFactors(declared, assumed).untrusted_content?.basis // => 'declared'
 */
export function mergeRiskFactors(before: SessionRiskFactors, added: SessionRiskFactors): SessionRiskFactors {
  const merged: { -readonly [F in RiskFactor]?: RiskFactorMark } = { ...before, ...added }
  for (const factor of RISK_FACTORS) {
    const known = before[factor]
    if (known?.basis === 'declared' && added[factor]?.basis === 'assumed') merged[factor] = known
  }
  return merged
}

/** A cache of each tool's risk factors, which are the same for every call. */
const known = new WeakMap<RiskyTool, ReturnType<typeof riskFactorsOf>>()

/**
 * Like `riskFactorsOf`, but remembers the result for each tool.
 *
 * @example
 * import { riskFactorsBroughtBy, resolveEffective } from '@hintgate/metadata'
 * const effective = resolveEffective({ declared: { hints: {} }, vouched: true })
 * riskFactorsBroughtBy(effective).external_communication // => 'assumed'
 */
export function riskFactorsBroughtBy(effective: RiskyTool): ReturnType<typeof riskFactorsOf> {
  const found = known.get(effective)
  if (found !== undefined) return found
  const riskFactors = riskFactorsOf(effective)
  known.set(effective, riskFactors)
  return riskFactors
}

export interface RiskView {
  readonly level: 'none' | 'some' | 'trifecta'
  readonly riskFactors: readonly {
    readonly factor: RiskFactor
    readonly tool: string
    readonly basis: Basis
  }[]
}

/**
 * Converts a session's risk to the form that callers see.
 *
 * @example
 * import { viewRisk } from '@hintgate/metadata'
 * viewRisk({}) // => { level: 'none', riskFactors: [] }
 */
export function viewRisk(riskFactors: SessionRiskFactors): RiskView {
  const had = RISK_FACTORS.flatMap(factor => {
    const mark = riskFactors[factor]
    return mark === undefined ? [] : [{ factor, tool: mark.tool, basis: mark.basis }]
  })
  const level = had.length === RISK_FACTORS.length ? 'trifecta' : had.length === 0 ? 'none' : 'some'
  return { level, riskFactors: had }
}

function onlyCreates(operations: readonly Operation[] = []): boolean {
  return operations.length > 0 && operations.every(operation => operation === 'create')
}

function basisOf({ source }: Sourced<boolean>): Basis {
  return source === 'declared' || source === 'override' ? 'declared' : 'assumed'
}

function not({ value, source }: Sourced<boolean>): Sourced<boolean> {
  return { value: !value, source }
}

/** Combines two hints that must both be true. The source is `default` if either source is. */
function weakest(a: Sourced<boolean>, b: Sourced<boolean>): Sourced<boolean> {
  const value = a.value && b.value
  return { value, source: a.source === 'default' ? a.source : b.source }
}
