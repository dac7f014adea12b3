import { CALL_VARIANTS, type CallVariant } from '@hintgate/metadata'
import { z } from 'zod'
import { matchesGlob } from '../../scope/match-scope.ts'
import type { Facts } from '../facts/facts.ts'
import type { GuardrailSource } from './guardrail.ts'

const globs = z.array(z.string().min(1).max(200)).min(1).max(1000)
const SHORT_VARIANTS = ['read', 'write', 'destructive'] as const

/** The selectors that every rule accepts. */
export const selectorParams = {
  agents: globs.optional(),
  servers: globs.optional(),
  tools: globs.optional(),
  variants: z
    .array(z.enum([...CALL_VARIANTS, ...SHORT_VARIANTS]))
    .min(1)
    .optional(),
}

export type Selector = z.output<z.ZodObject<typeof selectorParams>>

/**
 * Whether a rule applies to a call, according to the rule's layer and selectors. An absent selector matches everything.
 */
export function isFor(
  { agents, servers, tools, variants }: Selector,
  source: GuardrailSource,
  facts: Facts,
): boolean {
  const { agent, server, tool } = facts
  if (source.agent !== undefined && source.agent !== agent.name) return false
  if (source.server !== undefined && source.server !== server.name) return false
  return (
    (source.tools === undefined || source.tools.some(glob => namesTool(glob, server.name, tool.name))) &&
    (agents === undefined || agents.some(glob => matchesGlob(glob, agent.name))) &&
    (servers === undefined || servers.some(glob => matchesGlob(glob, server.name))) &&
    (tools === undefined || tools.some(glob => namesTool(glob, server.name, tool.name))) &&
    (variants === undefined || variants.some(variant => namesVariant(variant, tool.variant)))
  )
}

/**
 * Whether a glob matches a tool. A glob with a colon, such as `crm:send_*`, is matched against server and tool; a glob
 * without one only against the tool.
 */
function namesTool(glob: string, server: string, tool: string): boolean {
  const colon = glob.indexOf(':')
  if (colon === -1) return matchesGlob(glob, tool)
  return matchesGlob(glob.slice(0, colon), server) && matchesGlob(glob.slice(colon + 1), tool)
}

function namesVariant(written: string, variant: CallVariant): boolean {
  return variant === written || variant === `call_tool_${written}`
}
