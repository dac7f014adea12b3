import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems take the ports of connections from above: what is below stays free while nobody listens on it. */
const [LOWEST, HIGHEST] = [12_000, 32_000]

/** A port that nobody listens on, for who must know its address before it starts, or comes back to it. */
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
