import type { Era } from './answers.ts'
import type { Connection } from './connection.ts'
import { openHttp } from './http-connection.ts'
import type { Target } from './load.ts'
import { openStdio } from './stdio-connection.ts'

export function openConnection(target: Target, era: Era, concurrency: number): Promise<Connection> {
  return target.kind === 'http' ? openHttp(target, era, concurrency) : openStdio(target.command, era)
}
