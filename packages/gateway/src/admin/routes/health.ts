import { homedir } from 'node:os'
import type { Problem } from '../../base/errors/problem.ts'
import { readConfigFile } from '../../config/edit/edit-config.ts'
import { checkConfigText } from '../../config/load-config.ts'
import { checkProblems } from '../../doctor/check-config.ts'
import { examine } from '../../doctor/examine.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import type { ToolTable } from '../views/tool-table.ts'

export function createHealthHandlers(deps: AdminDeps, tools: ToolTable) {
  const { store } = deps
  return {
    async configProblems() {
      const { path } = deps.place
      return { file: path, problems: findProblems(path).map(one => ({ ...one })) }
    },
    async doctor() {
      const { path } = deps.place
      const { desk } = await tools.load()
      const now = Date.now()
      const { findings } = examine(desk, await store.tokens.list(), now)
      const written = path === undefined ? [] : checkProblems(path, findProblems(path))
      return { checkedAt: now, findings: [...written, ...findings].map(finding => ({ ...finding })) }
    },
  } satisfies Partial<Handlers>
}

/** Checks the config file as it is now. If the file has problems, the gateway still runs with an earlier config. */
function findProblems(path: string | undefined): readonly Problem[] {
  if (path === undefined) return []
  const places = { env: process.env, cwd: process.cwd(), homeDir: homedir() }
  return checkConfigText(readConfigFile(path).text, path, places).problems
}
