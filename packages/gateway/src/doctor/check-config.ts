import type { Problem } from '../base/errors/problem.ts'
import { HintgateError, hasCode } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { loadRules } from '../config/load-rules.ts'
import type { StoredDefinition } from '../store/store.ts'
import type { DoctorFinding } from './finding.ts'

/** What the config itself is wrong about. */
export function checkProblems(file: string, problems: readonly Problem[]): readonly DoctorFinding[] {
  return problems.map(({ path, line, column, message, fix }) => ({
    code: 'config_invalid',
    level: 'error',
    text: `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`,
    fix,
  }))
}

const EVERY_TOOL = '*'

/** What the config says, and probably does not mean. */
export function checkConfig(config: Config, known: readonly StoredDefinition[]): readonly DoctorFinding[] {
  return [...checkQuarantine(config), ...checkServers(config), ...checkOverrides(config, known)]
}

function checkQuarantine({ quarantine }: Config): readonly DoctorFinding[] {
  if (quarantine) return []
  return [
    {
      code: 'quarantine_off',
      level: 'warning',
      text: 'quarantine is off: what servers change reaches agents without a review',
      fix: 'remove "quarantine": false from the config',
    },
  ]
}

function checkServers({ servers }: Config): readonly DoctorFinding[] {
  if (servers.some(({ enabled }) => enabled)) return []
  return [
    {
      code: 'no_servers',
      level: 'warning',
      text: 'the config has no server that is switched on, so there are no tools',
      fix: 'add one to "mcpServers"',
    },
  ]
}

/** Of a server that was never asked nobody knows which tools it has. */
function checkOverrides(
  { overrides, servers }: Config,
  known: readonly StoredDefinition[],
): readonly DoctorFinding[] {
  const names = new Set(servers.map(({ name }) => name))
  const tools = new Set(known.filter(({ kind }) => kind === 'tool').map(one => `${one.server}:${one.name}`))
  const asked = new Set(known.map(({ server }) => server))
  return Object.entries(overrides).flatMap(([server, ofTools]) =>
    Object.keys(ofTools)
      .filter(tool => {
        const isUnknown = asked.has(server) && tool !== EVERY_TOOL && !tools.has(`${server}:${tool}`)
        return !names.has(server) || isUnknown
      })
      .map(tool => ({
        code: 'override_unknown',
        level: 'warning' as const,
        server,
        text: `overrides has ${JSON.stringify(`${server}:${tool}`)}, which no server has`,
        fix: 'correct its name, or remove it',
      })),
  )
}

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
