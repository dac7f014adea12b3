import type { AdminDeps } from './http/admin-deps.ts'
import type { Handlers } from './http/handler.ts'
import { createOpenApi } from './openapi.ts'
import { createActivityHandlers } from './routes/activity.ts'
import { createAgentHandlers } from './routes/agents.ts'
import { createApprovalHandlers } from './routes/approvals.ts'
import { createHealthHandlers } from './routes/health.ts'
import { createOverrideHandlers } from './routes/overrides.ts'
import { createOverviewHandlers } from './routes/overview.ts'
import { createPeopleHandlers } from './routes/people.ts'
import { createPolicyHandlers } from './routes/policies.ts'
import { createReviewHandlers } from './routes/review.ts'
import { createSearchHandlers } from './routes/search.ts'
import { createServerHandlers } from './routes/servers.ts'
import { createSessionHandlers } from './routes/sessions.ts'
import { createToolHandlers } from './routes/tools.ts'
import { ToolTable } from './views/tool-table.ts'

/** What answers every operation of the contract; the compiler sees to it that none is missing. */
export function createHandlers(deps: AdminDeps): Handlers {
  const tools = new ToolTable(deps)
  return {
    ...createPeopleHandlers(deps),
    ...createOverviewHandlers(deps, tools),
    ...createApprovalHandlers(deps),
    ...createToolHandlers(deps, tools),
    ...createOverrideHandlers(deps, tools),
    ...createReviewHandlers(deps, tools),
    ...createSessionHandlers(deps),
    ...createActivityHandlers(deps),
    ...createServerHandlers(deps),
    ...createAgentHandlers(deps, tools),
    ...createPolicyHandlers(deps),
    ...createSearchHandlers(deps),
    ...createHealthHandlers(deps, tools),
    openapi: async () => createOpenApi(deps.version),
  }
}
