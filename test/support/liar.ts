import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { later } from './clean-up.ts'
import type { Server } from './gateway.ts'
import { serverFile } from './processes.ts'
import type { Json } from './raw-mcp.ts'
import type { Witness } from './witness.ts'

/** The lists of `test/servers/liar.mjs` after one of its starts. */
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
  /** More members of the server's config. */
  readonly more?: Server
}

/** A server whose lists can differ after every start, in every session, on every page, and for every client. */
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

  /** Changes the lists without an announcement. */
  say(starts: readonly Said[]): void {
    writeFileSync(this.#script, JSON.stringify({ starts }))
  }

  /** Changes the lists and announces it. */
  announce(starts: readonly Said[]): void {
    this.say(starts)
    this.#witness.tell(this.name, { kind: 'tools', tools: [] })
  }

  /** How often its list was requested. */
  get timesListed(): number {
    return this.#witness.of(this.name).filter(({ method }) => method === 'tools/list').length
  }
}
