import {
  type Assessment,
  assessTool,
  type Graduation,
  HINTS,
  kindOfVariant,
  type Override,
  type Profile,
  SPEC_HINTS,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { GatewayServer, ServerOptions } from '../agent-options.ts'
import { isJsonObject } from '../json.ts'
import type { AgentTool, Trust } from './agent-tool.ts'
import { applyGatewayFacts, type GatewayTool } from './gateway-facts.ts'
import type { Change } from './pins.ts'

/** A definition, with everything that its assessment depends on. */
export interface Listed extends GatewayTool {
  readonly fingerprint: string
  readonly change: Change | undefined
}

export interface Judging {
  readonly options: ServerOptions
  readonly profile: Profile
  readonly rules: Graduation
  /** The other tools of the same server. */
  readonly siblings: readonly ToolDefinition[]
}

export function isGateway(options: ServerOptions): options is GatewayServer {
  return 'gateway' in options
}

/** Assesses a definition for an agent loop. */
export function makeTool(listed: Listed, judging: Judging): AgentTool {
  const { server, name, definition, facts, fingerprint, change } = listed
  const { trust, isVouched } = trustIn(judging.options, listed)
  const assessment = assess(listed, judging, isVouched)
  const { effective, declared, variant } = assessment
  const gatewayAsks = trust === 'gateway' && facts?.confirm === 'always'
  const asks = gatewayAsks || change !== undefined || judging.rules[kindOfVariant(variant)] === 'always'
  return {
    id: `${server}:${name}`,
    server,
    name,
    title: assessment.title,
    description: typeof definition.description === 'string' ? definition.description : '',
    inputSchema: isJsonObject(definition.inputSchema) ? definition.inputSchema : { type: 'object' },
    annotations: Object.fromEntries(SPEC_HINTS.map(hint => [HINTS[hint].wire, effective[hint].value])),
    effective,
    variant,
    label: variant === 'call_tool_read' && !asks ? 'Safe' : 'Requires confirmation',
    riskLevel: assessment.riskLevel,
    category: assessment.category,
    trust,
    isVouched,
    fingerprint,
    ...(change === undefined ? {} : { change }),
    gatewayAsks,
    ...(declared.action === undefined ? {} : { action: declared.action }),
    findings: assessment.findings,
    definition,
  }
}

/**
 * Returns what vouches for a definition, if anything. A definition that changed during the session is not vouched for
 * until its new fingerprint is approved.
 */
function trustIn(
  options: ServerOptions,
  { fingerprint, change, facts }: Listed,
): { readonly trust: Trust; readonly isVouched: boolean } {
  if (isGateway(options)) return { trust: 'gateway', isVouched: facts !== undefined }
  const { trust = 'reviewed', approved = [] } = options
  const isVouched = approved.includes(fingerprint) || (trust === 'trusted' && change === undefined)
  return { trust, isVouched }
}

function assess(listed: Listed, { options, profile, siblings }: Judging, vouched: boolean): Assessment {
  const { definition, name } = listed
  // The gateway's facts say which hints count. All other fields in the gateway's list are the server's own
  // declarations, which nothing vouches for.
  if (isGateway(options))
    return applyGatewayFacts(assessTool(definition, { vouched: false, profile, siblings }), listed)
  const hints = options.overrides?.[name]
  const override: Override | undefined = hints && { hints, by: 'options', at: '' }
  return assessTool(definition, { vouched, profile, siblings, ...(override && { override }) })
}
