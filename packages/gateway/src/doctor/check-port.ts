import type { Address } from '../config/schema/listen.ts'
import type { DoctorFinding } from './finding.ts'

export interface PortFacts {
  readonly listen: Address
  /** Why nobody can listen there now, as the system calls it. Absent: it is free. */
  readonly why?: string
  /** Who does; absent where the system does not tell. */
  readonly owner?: {
    readonly pid: number
    readonly program: string
    readonly isGateway: boolean
    /** Whether it has the same store open; absent where that cannot be seen. */
    readonly usesStore?: boolean
  }
}

const ELSEWHERE = 'choose another address: "listen" in the config, or hintgate serve --listen 127.0.0.1:0'

export function checkPort({ listen, why, owner }: PortFacts): readonly DoctorFinding[] {
  if (why === undefined) return []
  const address = `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`
  if (why !== 'EADDRINUSE') return [refused(address, why)]
  if (owner?.isGateway && owner.usesStore !== false)
    return [
      {
        code: 'gateway_running',
        level: 'info',
        text: `the gateway is running: process ${owner.pid} listens on ${address}`,
        fix: `nothing to do; to stop it: kill ${owner.pid}`,
      },
    ]
  return [taken(address, listen, owner)]
}

function refused(address: string, why: string): DoctorFinding {
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'this user may not listen on so low a port',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'there is no host of that name',
  }
  const text = `nothing can listen on ${address}: ${reasons[why] ?? why}`
  return { code: 'port_unusable', level: 'error', text, fix: ELSEWHERE }
}

function taken(address: string, { port }: Address, owner: PortFacts['owner']): DoctorFinding {
  if (owner === undefined)
    return {
      code: 'port_taken',
      level: 'error',
      text: `something listens on ${address} already`,
      fix: `see who (lsof -nP -iTCP:${port} -sTCP:LISTEN) and stop it, or ${ELSEWHERE}`,
    }
  const who = owner.isGateway ? 'a gateway with another store' : owner.program
  return {
    code: 'port_taken',
    level: 'error',
    text: `${who} (process ${owner.pid}) listens on ${address} already`,
    fix: `stop it: kill ${owner.pid}; or ${ELSEWHERE}`,
  }
}
