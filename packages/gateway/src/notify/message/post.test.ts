import { lookup } from 'node:dns/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../base/public-address.ts'
import { DeliveryError } from './channel.ts'
import { post } from './post.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a receiver on all addresses of this machine. */
async function listen(
  answer: (url: string) => [number, Record<string, string>?],
): Promise<{ port: number; urls: string[] }> {
  const urls: string[] = []
  const server = createServer((req, res) => {
    urls.push(req.url ?? '')
    req.resume()
    const [status, headers] = answer(req.url ?? '')
    res.writeHead(status, headers).end()
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, resolve))
  return { port: (server.address() as AddressInfo).port, urls }
}

const send = (url: string, reach = { isConfigured: true, mayBePrivate: false }) =>
  post({ url, body: '{}', headers: {}, signal: AbortSignal.timeout(5000), reach })

async function failureOf(work: Promise<unknown>): Promise<DeliveryError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof DeliveryError)) throw new Error(`no delivery error: ${String(error)}`)
  return error
}

describe('a message', () => {
  it('follows no redirect', async () => {
    const { port, urls } = await listen(() => [307, { location: '/elsewhere' }])
    expect(await failureOf(send(`http://127.0.0.1:${port}/`))).toMatchObject({
      message: 'HTTP 307',
      isFinal: true,
    })
    expect(urls).toEqual(['/'])
  })

  it('is sent again after a temporary refusal, at the time that the receiver asks for', async () => {
    const { port } = await listen(() => [429, { 'retry-after': '7' }])
    const failure = await failureOf(send(`http://127.0.0.1:${port}/`))
    expect(failure).toMatchObject({ message: 'HTTP 429', isFinal: false, retryAfterMs: 7000 })
  })

  it('goes to a literal private address only if it is in the config', async () => {
    const { port, urls } = await listen(() => [204])
    await send(`http://127.0.0.1:${port}/mine`)
    const stranger = { isConfigured: false, mayBePrivate: false }
    const failure = await failureOf(send(`http://127.0.0.1:${port}/theirs`, stranger))
    expect(failure.message).toBe('the address is not on the public internet')
    expect((await failureOf(send(`http://0x7f.1:${port}/theirs`, stranger))).isFinal).toBe(true)
    expect(urls).toEqual(['/mine'])
  })

  it('goes to a name that leads to a private address only if the config allows that', async ctx => {
    const found = await lookup(hostname()).catch(() => undefined)
    // The test needs a host name that leads to a private address; on most machines their own name does.
    if (found === undefined || isPublicAddress(found.address)) return ctx.skip()
    const { port, urls } = await listen(() => [204])
    const url = `http://${hostname()}:${port}/`
    expect((await failureOf(send(url))).message).toContain('set "private": true')
    expect(urls).toEqual([])
    await send(url, { isConfigured: true, mayBePrivate: true })
    expect(urls).toEqual(['/'])
  })

  it('gives the reason without the address if it cannot be sent', async () => {
    const { port } = await listen(() => [204])
    servers.pop()?.close()
    const failure = await failureOf(send(`http://127.0.0.1:${port}/secret`))
    expect([failure.message, failure.isFinal]).toEqual(['ECONNREFUSED', false])
  })
})
