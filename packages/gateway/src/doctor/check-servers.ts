import type { ServerConfig } from '../config/config.ts'
import type { DoctorFinding } from './finding.ts'
import type { Probe } from './probe-server.ts'

const STDERR_SHOWN = 5

/** What became of the servers that were started to see whether they start. */
export function checkServers(
  probes: readonly Probe[],
  servers: readonly ServerConfig[],
): readonly DoctorFinding[] {
  return probes.flatMap(({ server, failure, isRefused, stderr }) => {
    if (failure === undefined) return []
    const said = stderr.slice(-STDERR_SHOWN)
    const transport = servers.find(({ name }) => name === server)?.transport
    const finding: DoctorFinding = {
      code: isRefused ? 'server_unauthorized' : 'server_unreachable',
      level: 'error',
      server,
      text: [`${server}: ${failure}`, ...said.map(line => `  | ${line}`)].join('\n'),
      fix: isRefused ? credentialFor(server, transport) : reproduce(server, transport),
    }
    return [finding]
  })
}

type Transport = ServerConfig['transport'] | undefined

/** What it wants to know is who we are; a person who can sign in is better than a secret in a file. */
function credentialFor(server: string, transport: Transport): string {
  const oauth = transport?.kind === 'stdio' ? undefined : transport?.oauth
  if (oauth?.grant === 'client_credentials')
    return `correct "clientId" and "clientSecret" in mcpServers.${server}.oauth`
  if (oauth !== undefined) return `hintgate servers login ${server}`
  const variable = `${server.replaceAll(/\W+/g, '_').toUpperCase()}_TOKEN`
  return `add "headers": { "Authorization": "Bearer \${env:${variable}}" } to mcpServers.${server}, or "oauth": true and then: hintgate servers login ${server}`
}

function reproduce(server: string, transport: Transport): string {
  const look =
    transport?.kind === 'stdio'
      ? `run the "command" of mcpServers.${server} in a shell to see what is missing`
      : `see that the "url" of mcpServers.${server} is right and that the server runs`
  return `${look}; then: hintgate servers test ${server}`
}
