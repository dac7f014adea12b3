import { homedir } from 'node:os'
import { QuestionStatistics } from '../../audit/question-figures.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { readConfigFile } from '../../config/edit/edit-config.ts'
import { checkConfigText } from '../../config/load-config.ts'
import { checkProblems } from '../../doctor/check-config.ts'
import { checkQuestions, checkWaivers } from '../../doctor/check-questions.ts'
import { examine } from '../../doctor/examine.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import type { Rule } from '../../policy/rules/policy-set.ts'
import { readPolicyFiles } from '../../policy/rules/read-policy-files.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import type { ToolTable } from '../views/tool-table.ts'

export function createHealthHandlers(deps: AdminDeps, tools: ToolTable) {
  const { store } = deps
  const questions = new QuestionStatistics(store.audit, Date.now)
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
      const { rules } = await questions.figures()
      const asking = [...checkQuestions(rules), ...checkWaivers(readRules(deps), now)]
      return {
        checkedAt: now,
        findings: [...written, ...findings, ...asking].map(finding => ({ ...finding })),
      }
    },
  } satisfies Partial<Handlers>
}

function readRules({ config, place }: AdminDeps): readonly Rule[] {
  return parsePolicies(readPolicyFiles(config().policies, place.folder).files).rules
}

/** Checks the config file as it is now. If the file has problems, the gateway still runs with an earlier config. */
function findProblems(path: string | undefined): readonly Problem[] {
  if (path === undefined) return []
  const places = { env: process.env, cwd: process.cwd(), homeDir: homedir() }
  return checkConfigText(readConfigFile(path).text, path, places).problems
}
