import type { Witness } from '../support/witness.ts'
import type { FlakyServer } from './flaky-server.ts'

interface Execution {
  times: number
  readonly tool: string
}

interface Servers {
  readonly web: FlakyServer
  readonly witness: Witness
  /** The name of the servers that report to the witness. */
  readonly child: string
}

/** The calls that the servers behind the gateways received, by the id in the arguments. */
export function readExecuted({ web, witness, child }: Servers): Map<string, Execution> {
  const found = new Map<string, Execution>()
  const add = (tool: string, args: unknown): void => {
    const { id } = args as { id?: string }
    if (id === undefined) return
    const known = found.get(id)
    if (known === undefined) found.set(id, { times: 1, tool })
    else known.times += 1
  }
  for (const { name, args } of web.seen) add(name, args)
  for (const { raw = '{}', method } of witness.of(child)) {
    if (method !== 'tools/call') continue
    const { params } = JSON.parse(raw) as { params: { name: string; arguments?: unknown } }
    add(params.name, params.arguments ?? {})
  }
  return found
}
