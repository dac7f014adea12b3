import type { DoctorFinding } from './finding.ts'
import type { Probe } from './probe-server.ts'

const STDERR_SHOWN = 5

/** What became of the servers that were started to see whether they start. */
export function checkServers(probes: readonly Probe[]): readonly DoctorFinding[] {
  return probes.flatMap(({ server, failure, stderr }) => {
    if (failure === undefined) return []
    const said = stderr.slice(-STDERR_SHOWN)
    const finding: DoctorFinding = {
      code: 'server_unreachable',
      level: 'error',
      server,
      text: [`${server}: ${failure}`, ...said.map(line => `  | ${line}`)].join('\n'),
      fix: `see what its "command" or "url" in mcpServers.${server} does by itself`,
    }
    return [finding]
  })
}
