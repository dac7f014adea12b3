import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { later } from './clean-up.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BUILT = join(ROOT, 'test/peers/dist/host')
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

/** Where requests of the page go, by the name in `/mcp-of/NAME`. */
export interface Endpoint {
  readonly url: string
  readonly token: string
}

/**
 * Serves the page of `test/peers/host`, and passes its MCP requests to the gateway with a token. The gateway accepts no
 * requests of other web pages, so a host in a browser has its own server for that.
 */
export async function startAppHost(endpoints: Readonly<Record<string, Endpoint>>): Promise<string> {
  execFileSync(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', 'test/peers/host'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const server = createServer((req, res) => {
    const path = new URL(req.url ?? '/', 'http://host').pathname
    const endpoint = endpoints[path.slice('/mcp-of/'.length)]
    if (!path.startsWith('/mcp-of/')) serveFile(path, res)
    else if (endpoint === undefined) res.writeHead(404).end()
    else passOn(req, res, endpoint)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

function serveFile(path: string, res: ServerResponse): void {
  const file = join(BUILT, path === '/' ? 'index.html' : path)
  try {
    const content = readFileSync(file)
    res.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content)
  } catch {
    res.writeHead(404).end()
  }
}

function passOn(req: IncomingMessage, res: ServerResponse, { url, token }: Endpoint): void {
  const { host: _host, origin: _origin, referer: _referer, cookie: _cookie, ...kept } = req.headers
  const headers = { ...kept, authorization: `Bearer ${token}` }
  const passed = request(url, { method: req.method ?? 'GET', headers }, answer => {
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(res)
  })
  passed.on('error', () => res.destroy())
  res.on('close', () => passed.destroy())
  req.pipe(passed)
}
