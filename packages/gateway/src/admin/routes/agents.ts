import { type CallKind, kindOfVariant } from '@hintgate/metadata'
import { hasCode } from '../../base/errors.ts'
import { momentAfter, parseRate } from '../../base/measures.ts'
import type { ConfirmRules } from '../../policy/rules.ts'
import { mayCall, mayUseTool } from '../../scope/match-scope.ts'
import type { Principal, Scope } from '../../scope/scope.ts'
import { describeTokens, type TokenDescription } from '../../tokens/describe-token.ts'
import type { Minted } from '../../tokens/tokens.ts'
import type { Agent, Input, Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { AdminProblem, orMissing } from '../http/problem.ts'
import type { ToolRow, ToolTable } from '../views/tool-table.ts'

export function createAgentHandlers(deps: AdminDeps, tools: ToolTable) {
  const { tokens, config } = deps
  const find = async (name: string): Promise<Agent> => {
    const agents = await listAgents(deps)
    return orMissing(
      agents.find(agent => agent.name === name),
      `There is no token ${name}.`,
    )
  }
  const show = async ({ token, stored }: Minted) => ({ ...(await find(stored.name)), token })
  return {
    async listAgents() {
      const items = await listAgents(deps)
      return { items: [...items], total: items.length }
    },
    async createAgent({ body }) {
      const kind = body.kind ?? (body.role === undefined ? 'agent' : 'person')
      const entry = kind === 'agent' ? config().agentTokens.find(({ name }) => name === body.name) : undefined
      if (entry !== undefined && (body.permissions ?? body.servers ?? body.tools) !== undefined)
        throw new AdminProblem(
          'refused',
          `The scope of ${body.name} is set in agent_tokens of the config. Change it there.`,
        )
      const scope = entry?.scope ?? readScope(body, kind)
      const expiresAt = readExpiry(body.expiresIn, Date.now())
      try {
        return await show(await tokens.mint(body.name, scope, { expiresAt, kind }))
      } catch (error) {
        if (!hasCode(error, 'name_taken')) throw error
        throw new AdminProblem('name_taken', `A token ${body.name} already exists. Revoke it first.`)
      }
    },
    async rotateAgent({ params: { name } }) {
      await find(name)
      return show(await tokens.rotate(name))
    },
    async revokeAgent({ params: { name } }) {
      await find(name)
      await tokens.revoke(name)
      return find(name)
    },
    async getReach({ params: { name } }) {
      const { scope } = await findScope(deps, name)
      const { rows } = await tools.load()
      return { name, permissions: [...scope.permissions], ...reachOf(scope, rows, config().confirm) }
    },
  } satisfies Partial<Handlers>
}

async function listAgents({ store, config }: AdminDeps): Promise<readonly Agent[]> {
  const [stored, uses] = await Promise.all([store.tokens.list(), store.tokens.listUses()])
  const configured = config().agentTokens
  return describeTokens({ stored, configured, uses, now: Date.now() }).map(describeAgent)
}

type Reach = Omit<Output<'getReach'>, 'name' | 'permissions'>

function reachOf(scope: Scope, rows: readonly ToolRow[], confirm: ConfirmRules): Reach {
  const inScope = rows.filter(({ item }) => mayUseTool(scope, item.stored.server, item.stored.name))
  const approved = inScope.filter(({ state }) => state === 'approved')
  const callable = approved.filter(({ assessment }) => mayCall(scope, assessment.variant))
  const ofKind = (kind: CallKind): Reach['read'] =>
    callable
      .filter(({ assessment }) => kindOfVariant(assessment.variant) === kind)
      .map(({ id, assessment }) => ({ id, title: assessment.title, asks: asks(kind, scope, confirm) }))
  return {
    read: ofKind('read'),
    write: ofKind('write'),
    destructive: ofKind('destructive'),
    outOfReach: approved.length - callable.length,
    held: inScope.length - approved.length,
  }
}

function asks(kind: CallKind, scope: Scope, confirm: ConfirmRules): boolean {
  return (scope.confirm?.[kind] ?? confirm[kind]) === 'always'
}

/** Describes a token for display, with only the first characters of its secret. */
function describeAgent(token: TokenDescription): Agent {
  const { name, kind, status, permissions, servers, tools, hint, role, rate, confirm, statesTask } = token
  const at = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))
  const who = { name, kind, status, hint, role }
  return {
    ...who,
    permissions: [...permissions],
    servers: [...servers],
    tools: tools && [...tools],
    confirm,
    rate: rate && { limit: rate.limit, windowMs: rate.windowMs },
    statesTask,
    createdAt: at(token.created),
    expiresAt: at(token.expires),
    revokedAt: at(token.revoked),
    lastUsedAt: at(token.lastUsed),
    source: token.scope === 'config' ? 'config' : 'store',
  }
}

type Wanted = Input<'createAgent'>['body']

/** Reads the scope of a new token; permissions that it does not name are not granted. */
function readScope(body: Wanted, kind: Agent['kind']): Scope {
  const { permissions = [], servers = [], tools, confirm, role = 'viewer' } = body
  const rate = body.rate === undefined ? undefined : parseRate(body.rate)
  if (body.rate !== undefined && rate === undefined)
    throw new AdminProblem('invalid_request', 'body.rate: expected a rate such as 60/m, 5/10s or 1000/h')
  return {
    permissions: [...new Set(permissions)],
    servers,
    tools,
    confirm: confirm && definedOf(confirm),
    rate,
    ...(body.statesTask === true && { statesTask: true }),
    ...(kind === 'person' ? { role } : {}),
  }
}

function definedOf(confirm: NonNullable<Wanted['confirm']>): NonNullable<Scope['confirm']> {
  return Object.fromEntries(Object.entries(confirm).filter(([, value]) => value !== undefined))
}

function readExpiry(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const expiresAt = momentAfter(now, text)
  if (expiresAt !== undefined && expiresAt > now) return expiresAt
  throw new AdminProblem('invalid_request', 'body.expiresIn: expected a duration such as 30d or 12h')
}

export async function findScope(
  { store, config }: Pick<AdminDeps, 'store' | 'config'>,
  name: string,
): Promise<Principal> {
  const stored = await store.tokens.findByName(name)
  const entry = config().agentTokens.find(one => one.name === name)
  const kind = stored?.kind ?? 'agent'
  const scope = kind === 'agent' ? (entry?.scope ?? stored?.scope) : stored?.scope
  if (scope === undefined || scope.console !== undefined)
    throw new AdminProblem('not_found', `There is no token ${name}.`)
  return { id: `${kind}:${name}`, name, kind, scope, credential: 'console' }
}

/** A principal that is allowed to call every tool. */
export const EVERYBODY: Principal = {
  id: 'person:console',
  name: 'console',
  kind: 'person',
  scope: {
    permissions: ['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'],
    servers: ['*'],
  } satisfies Scope,
  credential: 'console',
}
