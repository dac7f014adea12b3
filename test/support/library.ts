import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { later } from './clean-up.ts'
import type { Server } from './gateway.ts'
import { serverFile } from './processes.ts'
import type { Json } from './raw-mcp.ts'
import type { Witness } from './witness.ts'

/** What a server of `test/servers/library.mjs` has. */
export interface Holdings {
  readonly tools?: readonly Json[]
  readonly resources?: readonly Json[]
  readonly templates?: readonly Json[]
  readonly prompts?: readonly Json[]
  /** The contents of resources, by URI. */
  readonly contents?: Readonly<Record<string, Json>>
  /** The content of the message of a prompt, by name. */
  readonly messages?: Readonly<Record<string, Json>>
  /** The results of tools, by name. */
  readonly results?: Readonly<Record<string, Json>>
  /** The methods that get no answer. */
  readonly silent?: readonly string[]
}

interface Options {
  readonly era?: 'legacy' | 'modern'
  /** More members of the server's config. */
  readonly more?: Server
}

/** A server with resources and prompts, as a child of the gateway. */
export class Library {
  readonly config: Server
  readonly #name: string
  readonly #witness: Witness
  readonly #file = join(mkdtempSync(join(tmpdir(), 'hintgate-library-')), 'holdings.json')

  constructor(name: string, witness: Witness, holdings: Holdings, { era = 'legacy', more }: Options = {}) {
    this.#name = name
    this.#witness = witness
    this.hold(holdings)
    later(() => rmSync(join(this.#file, '..'), { recursive: true, force: true }))
    const flags = ['--name', name, '--report', witness.line, '--holdings', this.#file, '--era', era]
    const args = [serverFile('library.mjs'), ...flags]
    this.config = { command: process.execPath, args, trust: 'trusted', ...more }
  }

  hold(holdings: Holdings): void {
    writeFileSync(this.#file, JSON.stringify(holdings))
  }

  /** Announces that the lists have changed. */
  announceLists(): void {
    this.#witness.tell(this.#name, { kind: 'forget' })
  }

  /** Announces a change of each resource that is watched. */
  announceUpdates(): void {
    this.#witness.tell(this.#name, { kind: 'release' })
  }
}

/** A library whose texts contain its name, so that a test sees whose they are. */
export function holdingsOf(name: string): Holdings {
  return {
    tools: [
      {
        name: 'find',
        description: 'Finds a book.',
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      },
    ],
    resources: [{ uri: 'book:///one', name: `Book one of ${name}` }],
    templates: [{ uriTemplate: 'book:///{shelf}/{+title}', name: 'Any book' }],
    prompts: [{ name: 'summarise', description: `Summarises a book of ${name}.` }],
    contents: {
      'book:///one': { text: `one of ${name}` },
      'book:///a%20b/c/d': { text: `d of ${name}` },
    },
    messages: {
      summarise: { type: 'resource', resource: { uri: 'book:///one', text: `from ${name}` } },
    },
    results: {
      find: {
        content: [
          { type: 'text', text: 'book:///one' },
          { type: 'resource_link', uri: 'book:///one', name: 'one' },
          { type: 'resource', resource: { uri: 'book:///a%20b/c/d', text: 'd' } },
        ],
      },
    },
  }
}
