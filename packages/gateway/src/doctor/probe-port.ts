import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Address } from '../config/schema/listen.ts'
import type { PortFacts } from './check-port.ts'
import { findListener } from './find-listener.ts'

/** Whether a gateway could listen where the config says, by doing so for a moment. Port 0 is always free. */
export async function probePort(listen: Address, store?: string): Promise<PortFacts> {
  const why = listen.port === 0 ? undefined : await tryToListen(listen)
  if (why !== 'EADDRINUSE') return { listen, ...(why !== undefined && { why }) }
  const owner = findListener(listen.port)
  if (owner === undefined) return { listen, why }
  const { pid, program, isGateway, files } = owner
  if (store === undefined) return { listen, why, owner: { pid, program, isGateway } }
  // However it was started, nobody but a gateway listens and has our store open.
  const usesStore = files.has(realPath(store))
  return { listen, why, owner: { pid, program, isGateway: isGateway || usesStore, usesStore } }
}

/** The code of what the system said against it; undefined if it let us. */
function tryToListen({ host, port }: Address): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** As the system names what a process has open. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
