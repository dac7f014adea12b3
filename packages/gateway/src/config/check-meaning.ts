import { existsSync } from 'node:fs'
import type { Complaint, Path } from '../base/errors/problem.ts'
import { checkTokenSets, checkToolsets } from './check-toolsets.ts'
import type { Config } from './config.ts'
import { isLoopback } from './schema/listen.ts'

/**
 * Finds problems that only show when several keys are considered together. A config is partial if a command read only
 * some of its keys.
 */
export function checkMeaning(config: Config, { isPartial = false } = {}): Complaint[] {
  return [
    ...checkExposure(config),
    ...checkTls(config),
    ...checkSecrets(config),
    ...checkCredentials(config),
    ...checkToolsets(config),
    ...(isPartial ? [] : checkTokenSets(config)),
  ]
}

function checkExposure({ listen, tls, behindProxy }: Config): Complaint[] {
  if (isLoopback(listen.host) || tls !== undefined || behindProxy) return []
  return [
    {
      path: ['listen'],
      message:
        'this address accepts connections from other machines; without TLS, their tokens are sent unencrypted',
      fix: 'add "tls": { "cert": …, "key": … }, or "behindProxy": true if a proxy terminates TLS',
    },
  ]
}

function checkTls({ tls }: Config): Complaint[] {
  return Object.entries(tls ?? {}).flatMap(([key, file]) => {
    const path: Path = ['tls', key]
    return existsSync(file) ? [] : [{ path, message: 'the file does not exist', fix: 'correct the path' }]
  })
}

function checkSecrets({ agentTokens }: Config): Complaint[] {
  const owners = new Map<string, string>()
  return agentTokens.flatMap(({ name, token }) => {
    if (token === undefined) return []
    const owner = owners.get(token)
    owners.set(token, name)
    if (owner === undefined) return []
    const message = `${owner} has the same secret`
    return [{ path: ['agent_tokens', name, 'token'], message, fix: 'use a different secret for every agent' }]
  })
}

/** Finds HTTP APIs whose credentials would have the same header, so that it is unclear which API one is for. */
function checkCredentials({ servers }: Config): Complaint[] {
  const owners = new Map<string, string>()
  return servers.flatMap(({ name, transport }): Complaint[] => {
    if (transport.kind !== 'openapi' || transport.auth?.kind !== 'caller') return []
    const owner = owners.get(name.toLowerCase())
    owners.set(name.toLowerCase(), name)
    if (owner === undefined) return []
    const message = `credentials for ${owner} and ${name} would have the same header`
    return [{ path: ['mcpServers', name, 'auth'], message, fix: 'give one of the servers another name' }]
  })
}
