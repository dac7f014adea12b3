// A reverse proxy for what the suite has no option for: a header with a token.
import { Agent, createServer, request } from 'node:http'
import { pipeline } from 'node:stream'

/**
 * Forwards everything unchanged to `target`, including Host and Origin (the suite tests both), and adds `headers`.
 * `pathOf(request)` can choose another path. `transform(response)` can return a stream for the body of the response.
 */
export async function startReverseProxy(target, { headers = {}, pathOf, transform } = {}) {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port, pathname } = new URL(target)
  const server = createServer((req, res) => {
    const forwarded = { ...req.headers, ...headers }
    const path = pathOf?.(req) ?? pathname
    const onward = request({ agent, hostname, port, path, method: req.method, headers: forwarded })
    onward.on('response', response => {
      const through = transform?.(response)
      res.writeHead(response.statusCode, stripLength(response.headers, through !== undefined))
      res.flushHeaders()
      pipeline([response, through, res].filter(Boolean), () => {})
    })
    onward.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
    // A caller that disconnects cancels its call, and the server must notice that.
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    stop: () =>
      new Promise(resolve => {
        server.close(resolve)
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}

function stripLength(headers, isRewritten) {
  if (!isRewritten) return headers
  const { 'content-length': _, ...others } = headers
  return others
}
