import type { Address } from '../../config/schema/listen.ts'
import { probePort } from '../../doctor/probe-port.ts'

/** Where the demo listens unless somebody says otherwise. */
export const DEMO_ADDRESS: Address = { host: '127.0.0.1', port: 4428 }

/**
 * What to type where the demo's address is taken; undefined: it is free. The gateway itself would speak of a flag that
 * whoever typed only `hintgate` or `npm start` cannot add to that.
 */
export async function adviseOnAddress(command: string, address = DEMO_ADDRESS): Promise<string | undefined> {
  const { why } = await probePort(address)
  if (why !== 'EADDRINUSE') return undefined
  return [
    `hintgate: Something else listens on ${address.host}:${address.port} already`,
    `  fix: Stop the other process, or take a free port: ${command} --listen 127.0.0.1:0\n`,
  ].join('\n')
}
