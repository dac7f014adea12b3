import type { TransportConfig } from './config.ts'
import { resolvePath } from './resolve-path.ts'
import type { ServerInput } from './schema/server-schema.ts'

type Confinement = Pick<Extract<TransportConfig, { kind: 'stdio' }>, 'resources' | 'sandbox'>
type Places = Parameters<typeof resolvePath>[1]

/** What a server that is a program may use, and what it sees; empty where nothing is said. */
export function buildConfinement(server: ServerInput, places: Places): Confinement {
  const { resources, sandbox } = server
  return {
    ...(resources && { resources: buildLimits(resources) }),
    ...(sandbox && { sandbox: buildSandbox(sandbox, server.cwd, places) }),
  }
}

function buildLimits({ memory, cpu, openFiles, processes }: NonNullable<ServerInput['resources']>) {
  return {
    ...(memory !== undefined && { memoryBytes: memory }),
    ...(cpu !== undefined && { cpuMs: cpu }),
    ...(openFiles !== undefined && { openFiles }),
    ...(processes !== undefined && { processes }),
  }
}

function buildSandbox(
  { network = false, read = [], write = [] }: NonNullable<ServerInput['sandbox']>,
  cwd: string | undefined,
  places: Places,
) {
  // The config's own folder, where programs start otherwise, is nothing that a sandbox should show by itself.
  const own = cwd === undefined ? [] : [resolvePath(cwd, places)]
  return {
    network,
    read: [...own, ...read.map(path => resolvePath(path, places))],
    write: write.map(path => resolvePath(path, places)),
    cwd: own[0] ?? '/tmp',
  }
}
