import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { attempt } from '../base/attempt.ts'
import type { Problem } from '../base/errors/problem.ts'
import { HintgateError, hasCode } from '../base/errors.ts'
import type { Config, ServerConfig } from '../config/config.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { loadRules } from '../config/load-rules.ts'
import { maskCommand } from '../detect/secrets/mask-words.ts'
import type { StoredDefinition } from '../store/store.ts'
import type { TokenDescription } from '../tokens/describe-token.ts'
import { hideOwnSecrets } from '../upstream/channel/hide-own-secrets.ts'
import { type DoctorFinding, quote } from './finding.ts'

export function checkProblems(file: string, problems: readonly Problem[]): readonly DoctorFinding[] {
  return problems.map(({ path, line, column, message, fix }) => ({
    code: 'config_invalid',
    level: 'error',
    text: `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`,
    fix,
  }))
}

const EVERY_TOOL = '*'

export function checkConfig(config: Config, known: readonly StoredDefinition[]): readonly DoctorFinding[] {
  return [...checkQuarantine(config), ...checkServers(config), ...checkOverrides(config, known)]
}

function checkQuarantine({ quarantine }: Config): readonly DoctorFinding[] {
  if (quarantine) return []
  const text = 'quarantine is off: new and changed tools reach agents without a review'
  const fix = 'remove "quarantine": false from the config'
  return [{ code: 'quarantine_off', level: 'warning', text, fix }]
}

function checkServers({ servers }: Config): readonly DoctorFinding[] {
  if (servers.some(({ enabled }) => enabled)) return []
  const text = 'the config has no enabled server, so there are no tools'
  const fix = 'add a server to "mcpServers", or enable one'
  return [{ code: 'no_servers', level: 'warning', text, fix }]
}

/**
 * Reports overrides that match no tool. Servers whose tools were never listed are skipped, because their tools are
 * unknown.
 */
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
        text: `the override of ${JSON.stringify(`${server}:${tool}`)} matches no tool`,
        fix: 'correct the name in "overrides", or remove the override',
      })),
  )
}

/** Checks policies and guardrails separately, so that problems in one do not hide those in the other. */
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

/** Reports servers whose program does not exist, without starting anything. */
export function checkPrograms(servers: readonly ServerConfig[], path: string): readonly DoctorFinding[] {
  return servers.flatMap(({ name, enabled, transport }): readonly DoctorFinding[] => {
    if (!enabled || transport.kind !== 'stdio') return []
    const { command, cwd, env } = transport
    if (isProgram(command, cwd, env.PATH ?? path)) return []
    // The values of the environment variables are not masked here, because the value of `PATH` is often part of the
    // command.
    const hide = hideOwnSecrets({ ...transport, env: {} })
    const text = `${name}: the command ${JSON.stringify(hide(maskCommand(command)))} does not exist on this machine`
    const fix = `install the program, or correct mcpServers.${name}.command`
    return [{ code: 'program_missing', level: 'error', server: name, text, fix }]
  })
}

/** Reports HTTP APIs whose OpenAPI document does not exist. `--connect` also reads the documents. */
export function checkDocuments(servers: readonly ServerConfig[]): readonly DoctorFinding[] {
  return servers.flatMap(({ name, enabled, transport }): readonly DoctorFinding[] => {
    if (!enabled || transport.kind !== 'openapi' || existsSync(transport.file)) return []
    const text = `${name}: the OpenAPI document ${transport.file} does not exist`
    const fix = `correct mcpServers.${name}.openapi`
    return [{ code: 'document_missing', level: 'error', server: name, text, fix }]
  })
}

/**
 * Whether a program exists. Looks it up as the system does: as a path if the command has a slash, otherwise in the
 * folders of PATH.
 */
function isProgram(command: string, cwd: string, path: string): boolean {
  if (isAbsolute(command) || command.includes('/')) return isExecutable(resolve(cwd, command))
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : ['']
  return path
    .split(delimiter)
    .some(
      folder => folder !== '' && endings.some(ending => isExecutable(join(folder, `${command}${ending}`))),
    )
}

function isExecutable(file: string): boolean {
  return attempt(() => accessSync(file, constants.X_OK) ?? true) ?? false
}

const DAY_MS = 24 * 60 * 60 * 1000
const SOON_DAYS = 7

export function checkTokens(tokens: readonly TokenDescription[], now: number): readonly DoctorFinding[] {
  return tokens.flatMap(token => checkToken(token, now))
}

function checkToken(token: TokenDescription, now: number): readonly DoctorFinding[] {
  const { name, status, expires, scope } = token
  if (status === 'without token')
    return [
      {
        code: 'token_missing',
        level: 'warning',
        text: `agent_tokens lists ${name}, but no token exists for it`,
        fix: `create one with hintgate tokens create ${name}`,
      },
    ]
  if (expires === undefined || status === 'revoked') return []
  const days = (Date.parse(expires) - now) / DAY_MS
  if (days > SOON_DAYS) return []
  const isOver = days <= 0
  return [
    {
      code: isOver ? 'token_expired' : 'token_expires_soon',
      // An expired token is only informational, because its agent might no longer be in use.
      level: isOver ? 'info' : 'warning',
      text: `the token of ${name} ${isOver ? 'expired' : 'expires'} at ${expires}`,
      fix:
        scope === 'config'
          ? `set a later "expires" for ${name} in agent_tokens, or revoke it`
          : `run hintgate tokens revoke ${name} && ${creationOf(token)} (add the token's --rate and --confirm options, if it had any)`,
    },
  ]
}

/**
 * Returns the command that creates a token with the same scope. Rotating the token would not help, because it keeps the
 * same expiry time.
 */
function creationOf({ name, kind, role, permissions, servers, tools, sets }: TokenDescription): string {
  const flags =
    kind === 'person'
      ? [`--role ${role ?? 'admin'}`]
      : [
          `--permissions ${permissions.join(',')}`,
          `--servers ${quote(servers.join(','))}`,
          ...(tools === undefined ? [] : [`--tools ${quote(tools.join(','))}`]),
          ...(sets === undefined ? [] : [`--sets ${quote(sets.join(','))}`]),
        ]
  return [`hintgate tokens create ${name}`, ...flags, '--expires 30d'].join(' ')
}
