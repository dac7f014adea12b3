import { isJsonObject } from '../protocol/messages.ts'
import type { DefinitionKind } from '../store/store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { type Listed, listDefinitions } from './list-definitions.ts'
import { fingerprintOf, type Named, type Pins } from './pins.ts'

/** What a server lists beside its tools. */
export type OtherKind = Extract<DefinitionKind, 'prompt' | 'template'>

export const OTHERS: Readonly<Record<OtherKind, Listed & { readonly key: string }>> = {
  prompt: { method: 'prompts/list', member: 'prompts', capability: 'prompts', key: 'name' },
  template: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    capability: 'resources',
    key: 'uriTemplate',
  },
}

/** name → fingerprint of what is approved. */
type Approved = ReadonlyMap<string, string>

/** Prompts, resource templates and instructions: texts of a server that reach agents, and are pinned like tools. */
export class OtherDefinitions {
  readonly #pins: Pins
  readonly #isQuarantined: () => boolean
  readonly #known = new Map<string, Promise<Approved>>()

  constructor(pins: Pins, isQuarantined: () => boolean) {
    this.#pins = pins
    this.#isQuarantined = isQuarantined
  }

  /** Whether everything passes anyway. */
  get isOpen(): boolean {
    return !this.#isQuarantined()
  }

  /** Something changed: a server's list, or an operator's mind. */
  forget(server?: string): void {
    for (const key of this.#known.keys())
      if (server === undefined || key.startsWith(`${server} `)) this.#known.delete(key)
  }

  /** Those of some items that an operator approved just as they are. */
  async keepApproved(server: UpstreamServer, kind: OtherKind, items: readonly unknown[]): Promise<unknown[]> {
    const approved = await this.#approved(server, kind)
    return items.filter(item => {
      const name = nameOf(item, kind)
      return name !== undefined && approved.get(name) === fingerprintOf(item)
    })
  }

  async isApproved(server: UpstreamServer, kind: OtherKind, name: string): Promise<boolean> {
    return this.isOpen || (await this.#approved(server, kind)).has(name)
  }

  /** A server's instructions, if they may be shown. */
  async approvedInstructions(server: UpstreamServer, text: string | undefined): Promise<string | undefined> {
    if (this.isOpen) return text
    const definitions =
      text === undefined ? [] : [{ name: 'instructions', definition: { name: 'instructions', text } }]
    const [judged] = await this.#judge(server, 'instructions', definitions)
    return judged?.standing.state === 'approved' ? text : undefined
  }

  #approved(server: UpstreamServer, kind: OtherKind): Promise<Approved> {
    const key = `${server.name} ${kind} ${server.starts}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const asking = this.#ask(server, kind).catch((): Approved => {
      // A server that did not answer is asked again; until then nothing of it is approved.
      this.#known.delete(key)
      return new Map()
    })
    this.#known.set(key, asking)
    return asking
  }

  async #ask(server: UpstreamServer, kind: OtherKind): Promise<Approved> {
    const listed = await listDefinitions(server, OTHERS[kind])
    if (listed === undefined) throw new Error(`${server.name} did not list what it has`)
    const definitions = listed.flatMap(definition => {
      const name = nameOf(definition, kind)
      return name === undefined ? [] : [{ name, definition }]
    })
    const judged = await this.#judge(server, kind, definitions)
    return new Map(
      judged.filter(({ standing }) => standing.state === 'approved').map(one => [one.name, one.fingerprint]),
    )
  }

  #judge(server: UpstreamServer, kind: DefinitionKind, definitions: readonly Named[]) {
    return this.#pins.judge(
      server.name,
      { kind, definitions },
      { trust: server.config.trust, isQuarantined: true },
    )
  }
}

function nameOf(item: unknown, kind: OtherKind): string | undefined {
  const name = isJsonObject(item) ? item[OTHERS[kind].key] : undefined
  return typeof name === 'string' ? name : undefined
}
