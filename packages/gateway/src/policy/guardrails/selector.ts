import { CALL_VARIANTS, type CallVariant } from '@hintgate/metadata'
import { z } from 'zod'
import { matchesGlob } from '../../scope/match-scope.ts'
import type { Facts } from '../facts/facts.ts'
import type { GuardrailSource } from './guardrail.ts'

const globs = z.array(z.string().min(1).max(200)).min(1).max(1000)
const SHORT_VARIANTS = ['read', 'write', 'destructive'] as const

/** Keys that every rule takes, beside its own. */
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

/** Whether a rule is for a call: by the layer it stands in, and by its own selectors. Absent: for all. */
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

/** `crm:send_*` names server and tool; a name without a colon the tool alone. */
function namesTool(glob: string, server: string, tool: string): boolean {
  const colon = glob.indexOf(':')
  if (colon === -1) return matchesGlob(glob, tool)
  return matchesGlob(glob.slice(0, colon), server) && matchesGlob(glob.slice(colon + 1), tool)
}

function namesVariant(written: string, variant: CallVariant): boolean {
  return variant === written || variant === `call_tool_${written}`
}
