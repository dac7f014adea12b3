// A reverse proxy for what the suite cannot do itself: it has no option for headers, so that nothing gives it a token.
import { Agent, createServer, request } from 'node:http'
import { pipeline } from 'node:stream'

/**
 * Passes everything on to `target` as it is, Host and Origin too (the suite tests both), and adds `headers`.
 * `pathOf(request)` may choose another path there. `transform(response)` may return a stream that the body goes through on its way back.
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
    // A caller that goes away cancels its call: the server must see that too.
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
