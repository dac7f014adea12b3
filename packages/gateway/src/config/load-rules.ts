import { createHash } from 'node:crypto'
import type { Complaint, Problem } from '../base/errors/problem.ts'
import { HintgateError } from '../base/errors.ts'
import type { PolicySet } from '../policy/rules/policy-set.ts'
import type { Rules } from '../policy/rules.ts'
import type { Config } from './config.ts'

export interface RuleSource {
  readonly config: Config
  readonly path: string | undefined
  /** In messages, the paths of policy files are relative to this folder. */
  readonly folder: string
  readonly locate: (complaint: Complaint) => Problem
}

type Guardrails = Rules['guardrails']

const NO_POLICIES = { version: 'none', evaluate: () => NO_HITS, waiversOf: () => NONE }
const NO_HITS = { hits: [] }
const NO_GUARDRAILS: Guardrails = { size: 0, check: () => NONE, checkTexts: () => NONE, ratesOf: () => NONE }
const NONE: readonly never[] = []

/**
 * Compiles all rules. Throws `config_invalid` or `policy_invalid` with all problems. The parsers are loaded only when
 * policies or guardrails are configured.
 */
export async function loadRules(source: RuleSource): Promise<Rules> {
  const { config } = source
  const { intent, confirm, serverRules } = config
  const policies = await loadPolicies(source)
  const guardrails = await loadGuardrails(source)
  const { validMs: _valid, waitMs: _wait, longestMs: _longest, ...confirmRules } = confirm
  return {
    version: digestOf([intent, confirmRules, policies.version, policies.fallback, config.guardrails]),
    intent,
    confirm: confirmRules,
    policies,
    guardrails,
    results: resultRulesOf(config),
    rateOf: server => serverRules[server]?.rate,
  }
}

function resultRulesOf({ results, serverRules }: Config): Rules['results'] {
  const ofServer = new Map(
    Object.entries(serverRules).map(([server, own]) => [server, { ...results, ...own.results }]),
  )
  return server => ofServer.get(server) ?? results
}

interface PolicySource {
  readonly config: Pick<Config, 'policies' | 'policyDefault'>
  readonly folder: string
}

/** Loads the policies. Throws `policy_invalid` if any rule has a problem. */
export async function loadPolicies({
  config,
  folder,
}: PolicySource): Promise<Pick<PolicySet, 'version' | 'fallback' | 'evaluate' | 'waiversOf'>> {
  const { policies, policyDefault: fallback } = config
  if (policies.length === 0) return { ...NO_POLICIES, fallback }
  const [{ readPolicyFiles }, { parsePolicies }] = await Promise.all([
    import('../policy/rules/read-policy-files.ts'),
    import('../policy/rules/parse-policies.ts'),
  ])
  const read = readPolicyFiles(policies, folder)
  const { set, problems } = parsePolicies(read.files, { fallback })
  const all = [...read.problems, ...problems]
  if (all.length > 0) throw new HintgateError('policy_invalid', { problems: all })
  return set
}

async function loadGuardrails({ config, path, locate }: RuleSource): Promise<Guardrails> {
  if (config.guardrails.length === 0) return NO_GUARDRAILS
  const { compileGuardrails } = await import('../policy/guardrails/compile-guardrails.ts')
  const { guardrails, problems } = compileGuardrails(config.guardrails)
  if (problems.length > 0)
    throw new HintgateError('config_invalid', {
      file: path ?? 'command line',
      problems: problems.map(locate),
    })
  return guardrails
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
