import { homedir } from 'node:os'
import type { PolicyProblem } from '../../base/errors/policy-problem.ts'
import { HintgateError } from '../../base/errors.ts'
import { loadConfig } from '../../config/load-config.ts'
import type { Fallback } from '../../policy/rules/policy-set.ts'
import { readPolicyFiles } from '../../policy/rules/read-policy-files.ts'
import type { PolicyFile } from '../../policy/rules/read-yaml.ts'

export interface SourceFlags {
  readonly config?: string
  readonly home?: string
  readonly json?: boolean
}

interface PolicySource {
  readonly files: readonly PolicyFile[]
  readonly problems: readonly PolicyProblem[]
  readonly fallback: Fallback
}

/** The policies that were named, or else those of the config. */
export function findPolicies(patterns: readonly string[], { config: path, home }: SourceFlags): PolicySource {
  const cwd = process.cwd()
  if (patterns.length > 0) return { ...readPolicyFiles(patterns, cwd), fallback: 'allow' }
  const loaded = loadConfig({
    path,
    env: process.env,
    cwd,
    homeDir: homedir(),
    flags: { home },
    skip: isOfNoInterest,
  })
  const { policies, policyDefault } = loaded.config
  if (policies.length === 0)
    throw new HintgateError('flag_invalid', {
      flag: 'files',
      why: `name policy files, or list them under "policies" in ${loaded.path ?? 'a config'}`,
    })
  return { ...readPolicyFiles(policies, cwd), fallback: policyDefault }
}

/** The secrets of servers need not be at hand to look at rules. */
function isOfNoInterest([section]: readonly (string | number)[]): boolean {
  return section !== 'policies' && section !== 'policyDefault'
}
