import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node'
import type { HttpTransport } from './read-transport.ts'

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Checks a request. Returns true if it may continue; otherwise, the guard has already answered it. */
export type Guard = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Checks the Host header, which stops a web page from reaching this server through the page's own host name (DNS
 * rebinding).
 */
export function createGuard({ host, token, allowedHosts }: HttpTransport): Guard {
  const names = [...LOCAL, host, ...allowedHosts]
  const isHostAllowed = hostHeaderValidation(names)
  const isOriginAllowed = originValidation(names)
  const isKnown = token === undefined ? () => true : createTokenCheck(token)
  return (request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return false
    if (isKnown(request.headers.authorization)) return true
    response.setHeader('www-authenticate', 'Bearer')
    refuse(response, 401, 'Missing or invalid token. Send Authorization: Bearer …')
    return false
  }
}

/**
 * Compares digests, which all have the same length, so the time that the comparison takes reveals nothing about the
 * token.
 */
function createTokenCheck(token: string): (header: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const wanted = digest(token)
  return (header = '') => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(header) ?? []
    return given !== undefined && timingSafeEqual(digest(given), wanted)
  }
}

export function refuse(response: ServerResponse, status: number, message: string, code = -32_000): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}
