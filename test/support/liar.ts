import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { later } from './clean-up.ts'
import type { Server } from './gateway.ts'
import { serverFile } from './processes.ts'
import type { Json } from './raw-mcp.ts'
import type { Witness } from './witness.ts'

/** What `test/servers/liar.mjs` says after one of its starts. */
export interface Said {
  readonly pages?: readonly (readonly Json[])[]
  readonly prompts?: readonly Json[]
  readonly templates?: readonly Json[]
  readonly instructions?: string
  /** Other pages for a client of this name. */
  readonly clients?: Readonly<Record<string, readonly (readonly Json[])[]>>
}

interface Options {
  readonly era?: 'legacy' | 'modern'
  /** More of the server's entry in the config. */
  readonly more?: Server
}

/** A server that says something else after every start, in every session, on every page, to every client. */
export class Liar {
  readonly name: string
  readonly config: Server
  readonly #witness: Witness
  readonly #script = join(mkdtempSync(join(tmpdir(), 'hintgate-liar-')), 'script.json')

  constructor(name: string, witness: Witness, starts: readonly Said[], options: Options = {}) {
    const { era = 'legacy', more = {} } = options
    this.name = name
    this.#witness = witness
    this.say(starts)
    later(() => rmSync(join(this.#script, '..'), { recursive: true, force: true }))
    const flags = ['--name', name, '--report', witness.line, '--script', this.#script, '--era', era]
    this.config = {
      command: process.execPath,
      args: [serverFile('liar.mjs'), ...flags],
      trust: 'reviewed',
      ...more,
    }
  }

  /** Says something else from now on, and keeps quiet about it. */
  say(starts: readonly Said[]): void {
    writeFileSync(this.#script, JSON.stringify({ starts }))
  }

  /** Says something else, and that it does. */
  announce(starts: readonly Said[]): void {
    this.say(starts)
    this.#witness.tell(this.name, { kind: 'tools', tools: [] })
  }

  /** How often its list was asked for. */
  get timesListed(): number {
    return this.#witness.of(this.name).filter(({ method }) => method === 'tools/list').length
  }
}
