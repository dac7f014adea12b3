import { randomUUID } from 'node:crypto'
import type { Client } from '@modelcontextprotocol/client'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type { Route } from './create-server.ts'
import { createProxyServer } from './create-server.ts'

/** One transport and one server a session, as the SDK's examples do it. */
export function serveLegacy(client: Client): Route {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()

  async function open(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: id => {
        sessions.set(id, transport)
      },
    })
    await createProxyServer(client).connect(transport)
    return transport
  }

  return async (req, res) => {
    const transport = sessions.get(String(req.headers['mcp-session-id'])) ?? (await open())
    await transport.handleRequest(req, res)
  }
}
