import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { OpenResponse } from '../admission/ledger.ts'
import { OPERATIONS, type OperationName, type Problem } from './contract/contract.ts'
import type { Operation } from './contract/operations.ts'
import type { AdminDeps } from './http/admin-deps.ts'
import { answer, SAFE_HEADERS } from './http/answer.ts'
import type { Handlers, Visit } from './http/handler.ts'
import { IdempotentAnswers } from './http/idempotency.ts'
import { createProblem, toProblem } from './http/problem.ts'
import type { RequestLimits } from './http/read-input.ts'
import { createOpenApi } from './openapi.ts'
import { createActivityHandlers } from './routes/activity.ts'
import { createAgentHandlers } from './routes/agents.ts'
import { createApprovalHandlers } from './routes/approvals.ts'
import { createHealthHandlers } from './routes/health.ts'
import { createOverviewHandlers } from './routes/overview.ts'
import { createPeopleHandlers } from './routes/people.ts'
import { createPolicyHandlers } from './routes/policies.ts'
import { createOverrideHandlers, createReviewHandlers } from './routes/review.ts'
import { createSearchHandlers } from './routes/search.ts'
import { createServerHandlers } from './routes/servers.ts'
import { createSessionHandlers } from './routes/sessions.ts'
import { createSuggestionHandlers } from './routes/suggestions.ts'
import { createToolHandlers } from './routes/tools.ts'
import { createToolsetHandlers } from './routes/toolsets.ts'
import { ToolTable } from './views/tool-table.ts'

/** Answers an authenticated person's request, or a sign-in request. */
export type AdminApp = (visit: Visit, opened: OpenResponse | undefined) => Promise<void>

interface Bindings {
  readonly opened: OpenResponse | undefined
  readonly visit: Visit
}

const PREFIX = '/api/v1'

export function createApp(deps: AdminDeps, limits: RequestLimits): AdminApp {
  const app = createRoutes(deps, limits)
  const bindings = new WeakMap<object, Bindings>()
  const listen = getRequestListener(
    async (request, { incoming }) => app.fetch(request, bindings.get(incoming)),
    // The adapter must not drain unread request bodies, because Hintgate's HTTP layer does that.
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  )
  return (visit, opened) => {
    bindings.set(visit.req, { opened, visit })
    return listen(visit.req, visit.res)
  }
}

function createRoutes(deps: AdminDeps, limits: RequestLimits): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>()
  const handlers = createHandlers(deps)
  const answers = new IdempotentAnswers(Date.now)
  const names = Object.keys(OPERATIONS) as OperationName[]
  for (const name of names.filter(one => one !== 'events')) {
    const operation: Operation = OPERATIONS[name]
    app.on(operation.method, `${PREFIX}${toPattern(operation.path)}`, context =>
      answer(name, {
        request: context.req.raw,
        params: context.req.param(),
        ...context.env,
        deps,
        limits,
        handlers,
        answers,
      }),
    )
  }
  app.notFound(({ req }) => respond(explainMissing(req.method, new URL(req.url).pathname)))
  app.onError(error => {
    const problem = toProblem(error)
    if (problem === undefined) deps.onError(error)
    return respond(problem ?? createProblem('fault', "An internal error occurred. See the gateway's log."))
  })
  return app
}

function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function explainMissing(method: string, path: string): Problem {
  const others = Object.values(OPERATIONS).filter(operation =>
    new RegExp(`^${PREFIX}${operation.path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(
      path,
    ),
  )
  if (others.length === 0) return createProblem('not_found', `There is no resource at ${path}.`)
  const methods = others.map(operation => operation.method).join(', ')
  return createProblem('method_not_allowed', `${method} is not supported here. Use ${methods}.`)
}

function respond(problem: Problem): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'application/problem+json',
      // The connection cannot be reused, because the rest of the body might still arrive.
      ...(problem.code === 'body_late' ? { connection: 'close' } : {}),
    },
  })
}

/** The handlers of all operations; the compiler checks that none is missing. */
function createHandlers(deps: AdminDeps): Handlers {
  const tools = new ToolTable(deps)
  return {
    ...createPeopleHandlers(deps),
    ...createOverviewHandlers(deps, tools),
    ...createApprovalHandlers(deps),
    ...createToolHandlers(deps, tools),
    ...createToolsetHandlers(deps),
    ...createOverrideHandlers(deps, tools),
    ...createReviewHandlers(deps, tools),
    ...createSessionHandlers(deps),
    ...createActivityHandlers(deps),
    ...createServerHandlers(deps),
    ...createAgentHandlers(deps, tools),
    ...createPolicyHandlers(deps),
    ...createSuggestionHandlers(deps),
    ...createSearchHandlers(deps),
    ...createHealthHandlers(deps, tools),
    openapi: async () => createOpenApi(deps.version),
  }
}
