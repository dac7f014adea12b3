import {
  type Assessment,
  assessTool,
  type Override,
  type Profile,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { Json } from '../protocol/messages.ts'
import { type Contradiction, findContradictions } from './contradictions.ts'
import { withEffectiveHints } from './effective-definition.ts'
import { findParamHeaders, type ParamHeader } from './param-headers.ts'

/** A tool as Hintgate knows it. */
export interface CatalogTool {
  readonly server: string
  readonly name: string
  readonly definition: ToolDefinition
  readonly fingerprint: string
  readonly assessment: Assessment
  /** Promises that its own words deny, unless an operator settled them. */
  readonly contradictions: readonly Contradiction[]
  /** The definition as callers see it: untouched but for its effective annotations. */
  readonly shown: Json
  /** Arguments that a modern HTTP server wants repeated in headers. */
  readonly paramHeaders: readonly ParamHeader[]
}

interface Judgement {
  readonly fingerprint: string
  readonly siblings: readonly ToolDefinition[]
  readonly isVouched: boolean
  readonly profile: Profile
  readonly override: Override | undefined
}

export function toCatalogTool(
  server: string,
  definition: ToolDefinition,
  { fingerprint, siblings, isVouched, profile, override }: Judgement,
): CatalogTool {
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
  }
}
