import { HintgateError, hasCode } from '../base/errors.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { loadRules } from '../config/load-rules.ts'
import { checkProblems } from './check-config.ts'
import type { DoctorFinding } from './finding.ts'

/** Policies and guardrails that no gateway would start with. Apart, so that broken policies do not hide broken guardrails. */
export async function checkRules(loaded: LoadedConfig): Promise<readonly DoctorFinding[]> {
  const { config } = loaded
  return [
    ...(await findProblems({ ...loaded, config: { ...config, guardrails: [] } })),
    ...(await findProblems({ ...loaded, config: { ...config, policies: [] } })),
  ]
}

async function findProblems(loaded: LoadedConfig): Promise<readonly DoctorFinding[]> {
  try {
    await loadRules(loaded)
    return []
  } catch (error) {
    if (!(error instanceof HintgateError)) throw error
    if (hasCode(error, 'config_invalid')) return checkProblems(error.payload.file, error.payload.problems)
    if (!hasCode(error, 'policy_invalid')) throw error
    return error.payload.problems.map(({ file, line, column, message, fix }) => ({
      code: 'policy_invalid',
      level: 'error',
      text: `${file}:${line}:${column}: ${message}`,
      fix,
    }))
  }
}
