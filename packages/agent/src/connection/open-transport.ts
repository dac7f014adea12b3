import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { HttpServer, ServerOptions, StdioServer } from '../agent-options.ts'
import { isGateway } from '../catalog/make-tool.ts'

/** Creates the transport to a server without connecting it. */
export function openTransport(options: ServerOptions): Transport {
  if (isGateway(options)) {
    const headers = { authorization: `Bearer ${options.token}` }
    return openHttp({ url: directSurface(options.gateway), headers })
  }
  return 'command' in options ? openStdio(options) : openHttp(options)
}

function openStdio({ command, args = [], env = {}, cwd, stderr = 'inherit' }: StdioServer): Transport {
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr,
    ...(cwd === undefined ? {} : { cwd }),
  })
}

function openHttp({ url, headers = {}, type = 'http' }: HttpServer): Transport {
  const options = { requestInit: { headers: { ...headers } } }
  return type === 'sse'
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options)
}

/**
 * Returns the URL of a gateway's direct surface, which offers the tools of all servers. `gateway` can be any URL of the
 * gateway.
 */
function directSurface(gateway: string): string {
  const url = new URL(gateway)
  url.pathname = `${url.pathname.replace(/\/(?:mcp(?:\/.*)?)?$/, '')}/mcp/direct`
  return url.href
}
