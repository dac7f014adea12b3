import {
  type Assessment,
  assessTool,
  type EffectiveHints,
  HINT_NAMES,
  HINTS,
  type HintName,
  META_HINTS,
  type Override,
  type Profile,
  RISK_HINTS,
  SPEC_HINTS,
  type ToolDefinition,
} from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { definedByAuthor } from '../protocol/name-of.ts'
import { findParamHeaders, type ParamHeader } from './param-headers.ts'

export interface CatalogTool {
  readonly server: string
  readonly name: string
  readonly definition: ToolDefinition
  readonly fingerprint: string
  readonly assessment: Assessment
  /** The hints that the tool's own words contradict, unless an operator settled them. */
  readonly contradictions: readonly Contradiction[]
  /** The definition as callers see it: unchanged except for its effective hints. */
  readonly shown: Json
  readonly paramHeaders: readonly ParamHeader[]
  /** What the tool was judged by, so that a toolset can judge it again with further hints. */
  readonly basis: Judgement
  /** The name under which a toolset offers the tool. Absent outside of toolsets. */
  readonly alias?: string
}

export interface Judgement {
  readonly fingerprint: string
  readonly siblings: readonly ToolDefinition[]
  readonly isVouched: boolean
  readonly profile: Profile
  readonly override: Override | undefined
}

export function toCatalogTool(server: string, definition: ToolDefinition, basis: Judgement): CatalogTool {
  const { fingerprint, siblings, isVouched, profile, override } = basis
  const assessment = assessTool(definition, {
    vouched: isVouched,
    profile,
    siblings,
    ...(override === undefined ? {} : { override }),
  })
  return {
    server,
    name: definition.name,
    definition,
    fingerprint,
    assessment,
    contradictions: findContradictions(assessment, override),
    shown: withEffectiveHints(definition, assessment),
    paramHeaders: findParamHeaders(definition.inputSchema),
    basis,
  }
}

/** A declared hint that the tool's own words contradict, such as read-only for a tool named `delete_*`. */
export interface Contradiction {
  /** The hint's name in MCP. */
  readonly hint: string
  readonly text: string
}

const CODE = 'declared-contradicts-inferred'

/** Finds a tool's contradictions, except those that an override of the hint settles. */
export function findContradictions(
  { findings }: Pick<Assessment, 'findings'>,
  override?: Override,
): readonly Contradiction[] {
  return findings
    .filter(({ code }) => code === CODE)
    .flatMap(({ path, message }) => {
      const hint = SPEC_HINTS.find(name => path === `annotations.${HINTS[name].wire}`)
      return hint === undefined || isSettled(hint, override)
        ? []
        : [{ hint: HINTS[hint].wire, text: message }]
    })
}

function isSettled(hint: HintName, override: Override | undefined): boolean {
  return override?.hints[hint] !== undefined
}

/**
 * Returns a definition with its effective hints under their protocol names, with a title, and without any text that
 * claims to come from the gateway. Everything else is unchanged.
 */
export function withEffectiveHints(
  definition: ToolDefinition,
  { title, declared, effective }: Assessment,
): Json {
  const own = definedByAuthor(definition)
  const authored = isJsonObject(definition.annotations) ? definition.annotations : {}
  const others = Object.entries(authored).filter(([key]) => !HINT_KEYS.has(key))
  const risk = RISK_HINTS.filter(
    hint => declared.hints[hint] !== undefined || effective[hint].source === 'override',
  )
  return {
    ...own,
    ...(hasTitle(own) ? {} : { title }),
    annotations: {
      ...Object.fromEntries(others),
      ...(hasTitle(authored) ? {} : { title }),
      ...valuesOnWire(effective, SPEC_HINTS),
    },
    ...(risk.length === 0 ? {} : { _meta: withRiskHints(own._meta, valuesOnWire(effective, risk)) }),
  }
}

/** All names of hints that are removed from the annotations. Only the specification's own names belong there. */
const HINT_KEYS: ReadonlySet<string> = new Set(HINT_NAMES.flatMap(hint => [hint, HINTS[hint].wire]))

function hasTitle({ title }: Json): boolean {
  return typeof title === 'string' && title.trim() !== ''
}

function withRiskHints(meta: unknown, risk: Json): Json {
  const others = isJsonObject(meta) ? meta : {}
  const authored = others[META_HINTS]
  return { ...others, [META_HINTS]: { ...(isJsonObject(authored) ? authored : {}), ...risk } }
}

export function valuesOnWire(
  effective: EffectiveHints,
  hints: readonly HintName[],
): Readonly<Record<string, boolean>> {
  return Object.fromEntries(hints.map(hint => [HINTS[hint].wire, effective[hint].value]))
}
