import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isText } from '../protocol/parse-json.ts'
import type { DefinitionKind } from '../store/store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { type Listed, listDefinitions } from './list-definitions.ts'
import { fingerprintOf, knownFingerprintOf, type Named, type Pinned, type Pins } from './pins.ts'
import { describePage, readPages } from './read-page.ts'

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

/** A server's listed definitions with their review states, by name. */
type Listing = ReadonlyMap<string, Pinned & { readonly isOnlyPage?: boolean }>

interface SortedNames {
  readonly approved: readonly string[]
  readonly held: readonly string[]
}

/**
 * A server's prompts, resource templates and instructions. These texts reach agents, so they are reviewed and pinned
 * like tools.
 */
export class OtherDefinitions {
  readonly #pins: Pins
  readonly #isQuarantined: () => boolean
  readonly #pagesOf: (server: string) => readonly string[]
  readonly #known = new Map<string, Promise<Listing | undefined>>()
  readonly #instructions = new WeakMap<UpstreamServer, Named & { readonly definition: { text: string } }>()
  /** True if it is known that nothing was ever rejected. As long as that is not known, every item is checked. */
  #isUnrefused = false
  #looks = 0

  /** `pagesOf` returns the URIs of the pages that a server's tools name. */
  constructor(
    pins: Pins,
    isQuarantined: () => boolean,
    pagesOf: (server: string) => readonly string[] = () => [],
  ) {
    this.#pins = pins
    this.#isQuarantined = isQuarantined
    this.#pagesOf = pagesOf
  }

  /** True if no check is needed: quarantine is off and nothing was rejected. */
  get isOpen(): boolean {
    return !this.#isQuarantined() && this.#isUnrefused
  }

  /** Forgets cached lists after a server's list changes or an operator decides. */
  forget(server?: string): void {
    for (const key of this.#known.keys())
      if (server === undefined || key.startsWith(`${server} `)) this.#known.delete(key)
    if (server === undefined) void this.#lookForRefusals()
  }

  async keepApproved(server: UpstreamServer, kind: OtherKind, items: readonly unknown[]): Promise<unknown[]> {
    // Without quarantine, an item need not be known, but must not have been rejected.
    const listing = this.#isQuarantined()
      ? await this.#list(server, kind)
      : byName(
          await this.#pins.weigh(server.name, { kind, definitions: named(items, kind) }, this.#rules(server)),
        )
    return items.filter(item => {
      const known = listing?.get(nameOf(item, kind) ?? '')
      return known?.standing.state === 'approved' && known.fingerprint === knownFingerprintOf(item)
    })
  }

  async isApproved(server: UpstreamServer, kind: OtherKind, name: string): Promise<boolean> {
    if (this.isOpen) return true
    const listing = await this.#list(server, kind)
    if (listing === undefined) return false
    const state = listing.get(name)?.standing.state
    return state === undefined ? !this.#isQuarantined() : state === 'approved'
  }

  /**
   * Whether a page asks for no more than what an operator approved. Otherwise the server's pages are read again, so
   * that the new demands wait for review.
   */
  async isApprovedPage(server: UpstreamServer, uri: string, contents: readonly Json[]): Promise<boolean> {
    if (this.isOpen) return true
    const fingerprint = fingerprintOf(describePage(uri, contents).definition)
    if (await this.#approvesPage(server, uri, fingerprint)) return true
    this.forget(server.name)
    return this.#approvesPage(server, uri, fingerprint)
  }

  /** Reads the pages of a server whose tools have changed, so that a reviewer sees them together with the tools. */
  lookAtPages(server: UpstreamServer): void {
    if (this.isOpen || this.#pagesOf(server.name).length === 0) return
    this.forget(server.name)
    // A failure leaves the pages unread. They are then read when a caller asks for one.
    this.#list(server, 'template').catch(() => {})
  }

  async #approvesPage(server: UpstreamServer, uri: string, fingerprint: string): Promise<boolean> {
    const known = (await this.#list(server, 'template'))?.get(uri)
    if (known === undefined) return false
    const isRefused = known.standing.state !== 'approved'
    return known.fingerprint === fingerprint && !isRefused
  }

  /** Sorts the names of a server's items into approved ones and held ones. Undefined if the server did not answer. */
  async sortNames(server: UpstreamServer, kind: OtherKind): Promise<SortedNames | undefined> {
    const listing = await this.#list(server, kind)
    if (listing === undefined) return undefined
    const isApproved = ({ standing }: Pinned): boolean => standing.state === 'approved'
    // A page that waits holds back no other resource.
    const all = [...listing.values()].filter(({ isOnlyPage }) => isOnlyPage !== true)
    return {
      approved: all.filter(isApproved).map(({ name }) => name),
      held: all.filter(one => !isApproved(one)).map(({ name }) => name),
    }
  }

  async approvedInstructions(server: UpstreamServer, text: string | undefined): Promise<string | undefined> {
    if (this.isOpen) return text
    const definitions = text === undefined ? [] : [this.#nameInstructions(server, text)]
    const [judged] = await this.#judge(server, 'instructions', definitions)
    return judged?.standing.state === 'approved' ? text : undefined
  }

  /**
   * Returns the same object for the same text, because the fingerprint, which every new client needs, is cached by
   * object.
   */
  #nameInstructions(server: UpstreamServer, text: string): Named {
    const known = this.#instructions.get(server)
    if (known?.definition.text === text) return known
    const named = { name: 'instructions', definition: { name: 'instructions', text } }
    this.#instructions.set(server, named)
    return named
  }

  async #lookForRefusals(): Promise<void> {
    this.#looks += 1
    const look = this.#looks
    this.#isUnrefused = false
    // With quarantine, rejected items need not be looked up, because every item that is not approved is held anyway.
    if (this.#isQuarantined()) return
    const hasRefusals = await this.#pins.hasRefusals()
    if (look === this.#looks) this.#isUnrefused = !hasRefusals
  }

  /** Lists a server's items. Undefined if the server did not answer; no item then counts as approved. */
  #list(server: UpstreamServer, kind: OtherKind): Promise<Listing | undefined> {
    const key = `${server.name} ${kind} ${server.starts}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const asking = this.#ask(server, kind)
    this.#known.set(key, asking)
    return asking.then(listing => {
      // After a failure, the server is asked again the next time.
      if (listing === undefined && this.#known.get(key) === asking) this.#known.delete(key)
      return listing
    })
  }

  async #ask(server: UpstreamServer, kind: OtherKind): Promise<Listing | undefined> {
    const listed = await listDefinitions(server, OTHERS[kind])
    if (listed === undefined) return undefined
    // Pages of apps are reviewed like templates: both are resources that no list has to contain.
    const pages = kind === 'template' ? await readPages(server, this.#pagesOf(server.name)) : []
    const uris = new Set(pages.map(({ name }) => name))
    const templates = named(listed, kind)
    const others = templates.filter(({ name }) => !uris.has(name))
    // A listed template stays one, even if a tool names it as its page.
    for (const { name } of templates) uris.delete(name)
    const judged = await this.#judge(server, kind, [...others, ...pages])
    return byName(judged.map(one => (uris.has(one.name) ? { ...one, isOnlyPage: true } : one)))
  }

  #judge(server: UpstreamServer, kind: DefinitionKind, definitions: readonly Named[]) {
    return this.#pins.judge(server.name, { kind, definitions }, this.#rules(server))
  }

  #rules({ config }: UpstreamServer) {
    return { trust: config.trust, isQuarantined: this.#isQuarantined() }
  }
}

function byName<T extends Pinned>(pinned: readonly T[]): ReadonlyMap<string, T> {
  return new Map(pinned.map(one => [one.name, one]))
}

function named(items: readonly unknown[], kind: OtherKind): readonly Named[] {
  return items.flatMap(definition => {
    const name = nameOf(definition, kind)
    return name === undefined ? [] : [{ name, definition }]
  })
}

function nameOf(item: unknown, kind: OtherKind): string | undefined {
  const name = isJsonObject(item) ? item[OTHERS[kind].key] : undefined
  return isText(name) ? name : undefined
}
