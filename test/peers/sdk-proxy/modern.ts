import type { IncomingMessage } from 'node:http'
import type { Client } from '@modelcontextprotocol/client'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Route } from './create-server.ts'
import { createProxyServer } from './create-server.ts'

/** Node sets both on every request that a server receives. */
type ServerRequest = IncomingMessage & { method: string; url: string }

export function serveModern(client: Client): Route {
  const handle = toNodeHandler(createMcpHandler(() => createProxyServer(client), { legacy: 'reject' }))
  return async (req, res) => handle(req as ServerRequest, res)
}
