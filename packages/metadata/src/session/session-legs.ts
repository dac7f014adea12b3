import type { EffectiveHints, Sourced } from '../record/tool-record.ts'

/** The three things that must not meet in one session: private data, somebody else's words, and a way out. */
export const LEGS = ['private_data', 'untrusted_content', 'way_out'] as const

export type Leg = (typeof LEGS)[number]

/** `assumed`: nobody said so; it is only not ruled out. */
export type Basis = 'declared' | 'assumed'

/** Which call brought a leg into a session. */
export interface LegMark {
  readonly tool: string
  readonly request: string
  readonly at: number
  readonly basis: Basis
}

export type SessionLegs = { readonly [L in Leg]?: LegMark }

/**
 * The legs that a call of a tool brings with it.
 *
 * Reading an open world brings in untrusted content; changing one is a way out, and so is whatever is said to send data.
 *
 * @example
 * import { legsOf, resolveEffective } from '@hintgate/metadata'
 * const web = { hints: { readOnly: true, openWorld: true, sensitive: false } }
 * legsOf(resolveEffective({ declared: web, vouched: true })) // => { untrusted_content: 'declared' }
 */
export function legsOf({
  sensitive,
  openWorld,
  egress,
  readOnly,
}: EffectiveHints): Readonly<Partial<Record<Leg, Basis>>> {
  const opensWayOut = egress.source === 'default' ? weakest(openWorld, not(readOnly)) : egress
  return {
    ...(sensitive.value ? { private_data: basisOf(sensitive) } : {}),
    ...(openWorld.value ? { untrusted_content: basisOf(openWorld) } : {}),
    ...(opensWayOut.value ? { way_out: basisOf(opensWayOut) } : {}),
  }
}

/**
 * What a session has after a call. Legs stay: what was read cannot be unread. A declared one replaces an assumed one.
 *
 * @example
 * import { addLegs, resolveEffective, viewRisk } from '@hintgate/metadata'
 * const declared = { hints: { readOnly: true, openWorld: true, sensitive: false } }
 * const call = { tool: 'web:fetch', request: 'r-1', at: 0 }
 * const legs = addLegs({}, resolveEffective({ declared, vouched: true }), call)
 * legs.untrusted_content?.tool // => 'web:fetch'
 * viewRisk(legs).level // => 'some'
 */
export function addLegs(
  legs: SessionLegs,
  effective: EffectiveHints,
  call: Pick<LegMark, 'tool' | 'request' | 'at'>,
): SessionLegs {
  let added: { -readonly [L in Leg]?: LegMark } | undefined
  const brought = legsBroughtBy(effective)
  const { tool, request, at } = call
  for (const leg of LEGS) {
    const basis = brought[leg]
    if (basis === undefined) continue
    const before = legs[leg]
    const isNews = before === undefined || (before.basis === 'assumed' && basis === 'declared')
    if (!isNews) continue
    added ??= { ...legs }
    added[leg] = { tool, request, at, basis }
  }
  return added ?? legs
}

/** A tool brings the same legs with every call; most calls ask only whether there is anything new. */
const known = new WeakMap<EffectiveHints, ReturnType<typeof legsOf>>()

/**
 * The same as `legsOf`, found once for every tool.
 *
 * @example
 * import { legsBroughtBy, resolveEffective } from '@hintgate/metadata'
 * const effective = resolveEffective({ declared: { hints: {} }, vouched: true })
 * legsBroughtBy(effective).way_out // => 'assumed'
 */
export function legsBroughtBy(effective: EffectiveHints): ReturnType<typeof legsOf> {
  const found = known.get(effective)
  if (found !== undefined) return found
  const legs = legsOf(effective)
  known.set(effective, legs)
  return legs
}

export interface RiskView {
  readonly level: 'none' | 'some' | 'trifecta'
  readonly legs: readonly { readonly leg: Leg; readonly tool: string; readonly basis: Basis }[]
}

/**
 * What a session has, for whoever is about to act in it.
 *
 * @example
 * import { viewRisk } from '@hintgate/metadata'
 * viewRisk({}) // => { level: 'none', legs: [] }
 */
export function viewRisk(legs: SessionLegs): RiskView {
  const had = LEGS.flatMap(leg => {
    const mark = legs[leg]
    return mark === undefined ? [] : [{ leg, tool: mark.tool, basis: mark.basis }]
  })
  const level = had.length === LEGS.length ? 'trifecta' : had.length === 0 ? 'none' : 'some'
  return { level, legs: had }
}

function basisOf({ source }: Sourced<boolean>): Basis {
  return source === 'default' ? 'assumed' : 'declared'
}

function not({ value, source }: Sourced<boolean>): Sourced<boolean> {
  return { value: !value, source }
}

/** Both must hold, and the guess among them is what it all rests on. */
function weakest(a: Sourced<boolean>, b: Sourced<boolean>): Sourced<boolean> {
  const value = a.value && b.value
  return { value, source: a.source === 'default' ? a.source : b.source }
}
