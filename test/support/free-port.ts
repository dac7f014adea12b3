import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Systems assign ports for connections from the upper range, so a lower port stays free while no process listens on
 * it.
 */
const [LOWEST, HIGHEST] = [12_000, 32_000]

/** A free port, for a process whose address must be known before it starts, or that must reuse it. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    await once(server.close(), 'close')
    return port
  }
}
