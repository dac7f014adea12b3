import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { later } from './clean-up.ts'

/** A round-robin load balancer in front of several gateways. */
export async function startBalancer(targets: () => readonly string[]): Promise<string> {
  let turn = 0
  const server = createServer((req, res) => {
    const urls = targets()
    const target = new URL(req.url ?? '/', urls[turn++ % urls.length])
    const passed = request(target, { method: req.method, headers: req.headers, agent: false }, answer => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      res.flushHeaders()
      answer.pipe(res)
      answer.on('error', () => res.destroy())
    })
    passed.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
    res.on('close', () => passed.destroy())
    req.pipe(passed)
  })
  later(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
