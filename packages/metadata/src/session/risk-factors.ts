import type { Operation } from '../derive/operations.ts'
import type { EffectiveHints, EffectiveRecord, Sourced } from '../record/tool-record.ts'

/** The three parts of the lethal trifecta. A session that has touched all of them can leak private data. */
export const RISK_FACTORS = ['private_data', 'untrusted_content', 'external_communication'] as const

export type RiskFactor = (typeof RISK_FACTORS)[number]

/** `assumed`: undeclared; inferred, or not ruled out. */
export type Basis = 'declared' | 'assumed'

/** Which call brought a risk factor into a session. */
export interface RiskFactorMark {
  readonly tool: string
  readonly request: string
  readonly at: number
  readonly basis: Basis
}

export type SessionRiskFactors = { readonly [F in RiskFactor]?: RiskFactorMark }

/** The hints of a tool, and its operations if they are known. */
export type RiskyTool = EffectiveHints & Partial<Pick<EffectiveRecord, 'operations'>>

/**
 * The risk factors that a call of a tool brings with it.
 *
 * Reading an open world brings in untrusted content; changing one is external communication, and so is any call that is declared to send data.
 * A tool that only creates sends something out; that its answer brings content of others in is assumed, even if it is declared open-world.
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
 * The risk factors of a session after a call. Risk factors stay, because reading cannot be undone. A declared one replaces an assumed one.
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
 * What two records of one session know together. A declared risk factor is kept, whichever record has it.
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

/** A tool brings the same risk factors with every call, so this is computed once per tool. */
const known = new WeakMap<RiskyTool, ReturnType<typeof riskFactorsOf>>()

/**
 * The same as `riskFactorsOf`, computed once for every tool.
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
 * A session's risk, in the form for callers.
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

/** Both must hold, so the result is assumed if either is. */
function weakest(a: Sourced<boolean>, b: Sourced<boolean>): Sourced<boolean> {
  const value = a.value && b.value
  return { value, source: a.source === 'default' ? a.source : b.source }
}
