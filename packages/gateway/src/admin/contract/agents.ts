import { z } from 'zod'
import { ROLES } from '../../scope/role.ts'
import { name, pageOf, time, variant } from './common.ts'

const permission = z.enum(['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'])
const confirm = z.partialRecord(variant, z.enum(['never', 'always']))

export const agent = z.object({
  name: z.string(),
  kind: z.enum(['agent', 'person']),
  /** The first characters of the token, to recognise it. Absent: only the config knows it. */
  hint: z.string().optional(),
  /** People only. */
  role: z.enum(ROLES).optional(),
  status: z.enum(['active', 'expired', 'revoked', 'configured', 'without token']),
  permissions: z.array(permission),
  servers: z.array(z.string()),
  tools: z.array(z.string()).optional(),
  confirm: confirm.optional(),
  rate: z.object({ limit: z.number(), windowMs: z.number() }).optional(),
  createdAt: time.optional(),
  expiresAt: time.optional(),
  revokedAt: time.optional(),
  lastUsedAt: time.optional(),
  /** Whose word its scope is. */
  source: z.enum(['store', 'config']),
})

const minted = agent.extend({
  token: z.string().meta({ description: 'The secret; it is never shown again' }),
})
const params = z.strictObject({ name })

const reachable = z.object({ id: z.string(), title: z.string(), asks: z.boolean() })

export const agentsContract = {
  listAgents: { response: pageOf(agent) },
  createAgent: {
    body: z.strictObject({
      name,
      kind: z.enum(['agent', 'person']).optional(),
      /** People only; `viewer` unless said otherwise. */
      role: z.enum(ROLES).optional(),
      permissions: z.array(permission).max(4).optional(),
      /** Names or globs; none unless said. */
      servers: z.array(z.string().min(1).max(200)).max(1000).optional(),
      tools: z.array(z.string().min(1).max(1000)).max(1000).optional(),
      /** `30d`, `12h`. */
      expiresIn: z.string().max(20).optional(),
      /** `100/min`. */
      rate: z.string().max(40).optional(),
      confirm: confirm.optional(),
    }),
    response: minted,
  },
  rotateAgent: { params, response: minted },
  revokeAgent: { params, response: agent },
  getReach: {
    params,
    response: z.object({
      name: z.string(),
      permissions: z.array(permission),
      /** Tools that it may call, by the variant it must use. */
      read: z.array(reachable),
      write: z.array(reachable),
      destructive: z.array(reachable),
      /** Tools in its scope that it may not call for lack of a permission. */
      outOfReach: z.number(),
      /** Tools in its scope that wait for review. */
      held: z.number(),
    }),
  },
}
