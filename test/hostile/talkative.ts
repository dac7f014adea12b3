import { fileURLToPath } from 'node:url'
import type { Server } from '../support/gateway.ts'
import type { Json } from '../support/raw-mcp.ts'
import type { Witness } from '../support/witness.ts'

const FILE = fileURLToPath(new URL('servers/talkative.mjs', import.meta.url))

/** A server that can send messages without being asked (servers/talkative.mjs). */
export function talkative(name: string, witness: Witness, more: Server = {}, hello: Json = {}): Server {
  const flags = ['--name', name, '--report', witness.line, '--hello', JSON.stringify(hello)]
  return { command: process.execPath, args: [FILE, ...flags], trust: 'trusted', ...more }
}
