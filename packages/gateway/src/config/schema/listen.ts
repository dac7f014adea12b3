import { isIPv4, isIPv6 } from 'node:net'

export interface Address {
  readonly host: string
  readonly port: number
}

const HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

/** Reads an address such as `127.0.0.1:4428`, `localhost:0` or `[::1]:4428`. Undefined if it is invalid. */
export function parseListen(text: string): Address | undefined {
  const [, bracketed, bare, digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? bare ?? ''
  const port = Number(digits)
  const isHost = bracketed === undefined ? HOST_NAME.test(host) : isIPv6(bracketed)
  return isHost && digits !== '' && port <= 65_535 ? { host, port } : undefined
}

/**
 * True if only this machine can reach an address. False for host names other than `localhost`, which can resolve to any
 * address.
 */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.')
  return host.toLowerCase() === 'localhost' || host === '::1' || host === '0:0:0:0:0:0:0:1'
}
