import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { later } from './clean-up.ts'
import type { Server } from './gateway.ts'
import { serverFile } from './processes.ts'
import type { Json } from './raw-mcp.ts'
import type { Witness } from './witness.ts'

/** A tool of `test/servers/scripted.mjs`: its definition and its behaviour. */
export interface ScriptedTool {
  readonly definition: Json & { readonly name: string }
  readonly does?: 'answer' | 'hold' | 'progress' | 'ask' | 'fail' | 'error'
  /** The answer for `answer`; by default the tool's name and arguments. */
  readonly result?: Json
}

export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const WRITES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}
export const DESTROYS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
}

/** A tool that reads, unless its definition says otherwise. */
export function scripted(
  name: string,
  more: Json = {},
  act: Omit<ScriptedTool, 'definition'> = {},
): ScriptedTool {
  const definition = {
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' },
    annotations: READS,
  }
  return { definition: { ...definition, ...more }, ...act }
}

interface Options {
  readonly era?: 'legacy' | 'modern'
  /** More members of the server's config. */
  readonly more?: Server
}

/** A server with these tools and an `echo`, as a child of the gateway. */
export class ScriptedServer {
  readonly name: string
  readonly config: Server
  readonly #witness: Witness
  readonly #file = join(mkdtempSync(join(tmpdir(), 'hintgate-tools-')), 'tools.json')

  constructor(name: string, witness: Witness, tools: readonly ScriptedTool[], options: Options = {}) {
    const { era = 'legacy', more = {} } = options
    this.name = name
    this.#witness = witness
    this.#write(tools)
    later(() => rmSync(join(this.#file, '..'), { recursive: true, force: true }))
    const flags = ['--name', name, '--report', witness.line, '--tools', this.#file, '--era', era]
    this.config = {
      command: process.execPath,
      args: [serverFile('scripted.mjs'), ...flags],
      trust: 'trusted',
      ...more,
    }
  }

  /** Replaces the tools and announces the change. */
  change(tools: readonly ScriptedTool[]): void {
    this.#write(tools)
    this.#witness.tell(this.name, { kind: 'tools', tools: [] })
  }

  #write(tools: readonly ScriptedTool[]): void {
    writeFileSync(this.#file, JSON.stringify([...tools, scripted('echo')]))
  }
}
