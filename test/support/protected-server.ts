import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { later } from './clean-up.ts'
import { fixtureFile } from './peers.ts'
import { address, run } from './processes.ts'

/** A real MCP server over HTTP that requires a token of an authorization server, issued for itself. */
export interface ProtectedServer {
  readonly url: string
  /** The distinct tokens that it received, in order. */
  readonly tokens: readonly string[]
  /** The scope that it requires from now on. */
  demand(scope: string): void
  /** Metadata that it returns in place of the correct one. */
  lie(metadata: object): void
}

export async function startProtectedServer(issuer: string): Promise<ProtectedServer> {
  const behind = new URL(await address(run(process.execPath, [fixtureFile(), '--era', 'legacy'])))
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
  const tokens: string[] = []
  let scope = 'mcp:read'
  let lies: object = {}
  let url = ''
  const server = createServer((req, res) => {
    void (async () => {
      if (req.url?.startsWith('/.well-known/oauth-protected-resource') === true) {
        const truth = { resource: url, authorization_servers: [issuer], scopes_supported: ['mcp:read'] }
        return res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ ...truth, ...lies }))
      }
      const token = req.headers.authorization?.replace('Bearer ', '') ?? ''
      if (token !== '' && !tokens.includes(token)) tokens.push(token)
      const metadata = `resource_metadata="${new URL(url).origin}/.well-known/oauth-protected-resource/mcp"`
      const granted = await jwtVerify(token, keys, { issuer, audience: url }).then(
        ({ payload }) => String(payload.scope ?? ''),
        () => undefined,
      )
      if (granted === undefined)
        return res.writeHead(401, { 'www-authenticate': `Bearer ${metadata}, scope="${scope}"` }).end()
      if (!granted.split(' ').includes(scope))
        return res
          .writeHead(403, {
            'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`,
          })
          .end()
      const { authorization: _token, ...headers } = req.headers
      const passed = request(
        behind,
        { method: req.method, headers: { ...headers, host: behind.host } },
        answer => {
          res.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(res)
        },
      )
      passed.on('error', () => res.destroy())
      res.on('close', () => passed.destroy())
      return req.pipe(passed)
    })()
  })
  later(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return {
    url,
    tokens,
    demand(wanted) {
      scope = wanted
    },
    lie(metadata) {
      lies = metadata
    },
  }
}
