import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Client } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'

export type Route = (req: IncomingMessage, res: ServerResponse) => Promise<void>

export function createProxyServer(client: Client): Server {
  const server = new Server({ name: 'sdk-proxy', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', ({ params }) => client.listTools(params))
  server.setRequestHandler('tools/call', ({ params }) => client.callTool(params))
  return server
}
