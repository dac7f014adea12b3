import { expect } from 'vitest'
import { isAlive, serverFile } from './processes.ts'
import type { Witness } from './witness.ts'

/** A server behind a wrapper, beside a process that ignores requests to end. */
export function launched(name: string, witness: Witness) {
  return {
    command: process.execPath,
    args: [
      ...[serverFile('launcher.mjs'), '--report', witness.line, '--name', `${name}-launcher`],
      ...['--', '--name', name, '--report', witness.line],
    ],
    trust: 'trusted',
  }
}

export async function pidsOf(name: string, witness: Witness): Promise<number[]> {
  const { args } = await witness.saw(`${name}-launcher`, 'hanging')
  return (args as { pids: number[] }).pids
}

/** Waits until a process has ended. */
export function gone(pid: number): Promise<void> {
  return expect.poll(() => isAlive(pid), { message: `process ${pid}` }).toBe(false)
}
