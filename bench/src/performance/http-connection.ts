import { Pool } from 'undici'
import type { Era } from './answers.ts'
import type { Connection } from './connection.ts'
import type { Target } from './load.ts'
import { INITIALIZED, LEGACY, writeHeaders, writeInitialize } from './requests.ts'

type HttpTarget = Target & { kind: 'http' }

const ANSWER_MS = 10_000

/** A legacy client initialises first, and all its calls share one session. */
export async function openHttp(target: HttpTarget, era: Era, concurrency: number): Promise<Connection> {
  const { origin, pathname: path } = new URL(target.url)
  const pool = new Pool(origin, {
    connections: concurrency,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  })
  let session: Record<string, string> = {}

  async function post(body: string, headers: Record<string, string>): Promise<string> {
    const all = { ...headers, ...target.headers, ...session }
    const response = await pool.request({ path, method: 'POST', headers: all, body })
    const text = await response.body.text()
    const id = response.headers['mcp-session-id']
    if (typeof id === 'string' && session['mcp-session-id'] === undefined) session = { 'mcp-session-id': id }
    if (response.statusCode >= 300) throw new Error(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`)
    return text
  }

  try {
    if (era === 'legacy') {
      await post(writeInitialize(), writeHeaders(era, 'initialize'))
      await post(INITIALIZED, writeHeaders(era, 'notifications/initialized'))
    }
  } catch (error) {
    void pool.destroy()
    throw error
  }
  return {
    send: ({ method, tool, body }) => post(body, writeHeaders(era, method, tool)),
    async close() {
      const headers = { ...target.headers, ...session, 'mcp-protocol-version': LEGACY }
      if (session['mcp-session-id'] !== undefined)
        await pool.request({ path, method: 'DELETE', headers }).catch(() => undefined)
      await pool.destroy()
    },
    drop: () => void pool.destroy(),
  }
}
