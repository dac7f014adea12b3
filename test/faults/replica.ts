import { setTimeout as sleep } from 'node:timers/promises'
import { type Gateway, readiness, type Site, startGatewayAt } from '../support/gateway.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { isAlive } from '../support/processes.ts'
import type { Witness } from '../support/witness.ts'

/** The name of the server that every gateway starts as its own child. */
export const CHILD = 'child'
export const SERVERS = ['web', CHILD] as const

/** A gateway and the processes that it started. */
export interface Replica {
  readonly gateway: Gateway
  readonly children: readonly number[]
}

/** One at a time, because processes that start meanwhile count as its children. */
export async function startReplica(site: Site, witness: Witness): Promise<Replica> {
  const before = childrenOf(witness).length
  const gateway = await startGatewayAt(site)
  await Promise.all(SERVERS.map(name => gateway.says(readiness(name))))
  return { gateway, children: childrenOf(witness).slice(before) }
}

/** The processes of all gateways so far. */
export function childrenOf(witness: Witness): readonly number[] {
  return witness.of(CHILD, 'started').map(({ pid }) => pid)
}

/** Those of these processes that do not end. */
export async function findOrphans(pids: readonly number[]): Promise<readonly number[]> {
  for (const until = Date.now() + PATIENCE_MS; pids.some(isAlive) && Date.now() < until; ) await sleep(50)
  return pids.filter(isAlive)
}
