import { describe, expect, it, vi } from 'vitest'
import type { DefinitionStore, StoredDefinition } from '../store/store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { Catalog, type CatalogDeps } from './catalog.ts'
import { fingerprintOf, Pins } from './pins.ts'

/** Creates a server whose answers the test controls. */
function controlledServer(name = 's') {
  const waiting: ((names: readonly string[]) => void)[] = []
  const server = {
    name,
    state: 'ready',
    starts: 1,
    config: { name, trust: 'trusted', timeoutMs: 1000, transport: { kind: 'stdio' } },
    ownEnvelope: {},
    send: () => ({
      reply: new Promise(resolve => {
        waiting.push(names =>
          resolve({
            kind: 'answer',
            message: { result: { tools: names.map(tool => ({ name: tool, inputSchema: {} })) } },
          }),
        )
      }),
    }),
  }
  return { server: server as unknown as UpstreamServer, state: server, waiting }
}

/** Creates an empty store that can be made slow. */
function emptyStore() {
  const gates: Promise<void>[] = []
  const seen: string[][] = []
  const load = vi.fn(async (): Promise<readonly StoredDefinition[]> => {
    await gates.shift()
    return []
  })
  const store: DefinitionStore = {
    load,
    loadReviewed: load,
    servers: async () => [],
    see: async (_server, { definitions }) => {
      seen.push(definitions.map(({ name }) => name))
    },
    review: async () => false,
    reviewAll: async () => [],
    disable: async () => false,
  }
  return { store, gates, seen, load }
}

const OPTIONS = {
  profile: 'gateway',
  isQuarantined: false,
  serverNames: ['s'],
  overrideOf: () => undefined,
} as const

/** Dependencies that ignore reports. */
const withPins = (pins: Pins): CatalogDeps => ({ pins, onError: () => {}, onNameless: () => {} })

function openCatalog(store: DefinitionStore, onError: (error: unknown) => void = () => {}): Catalog {
  return new Catalog(OPTIONS, withPins(new Pins({ store, now: () => 0, onError })))
}

const namesOf = (catalog: Catalog): string[] => catalog.tools('s').map(({ name }) => name)
const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20))

describe('a server without approved definitions', () => {
  const weigh = async (trust: 'reviewed' | 'trusted', isQuarantined: boolean, names: readonly string[]) => {
    const { server, state, waiting } = controlledServer()
    state.config.trust = trust
    const pins = new Pins({ store: emptyStore().store, now: () => 0, onError: () => {} })
    const catalog = new Catalog({ ...OPTIONS, isQuarantined }, withPins(pins))
    const before = catalog.isWhollyHeld(server)
    const known = catalog.ensure(server)
    waiting.shift()?.(names)
    await known
    return [before, catalog.isWhollyHeld(server)]
  }

  it('is held until it has listed its tools, and then until one is approved', async () => {
    expect(await weigh('reviewed', true, ['echo'])).toEqual([true, true])
    expect(await weigh('reviewed', true, [])).toEqual([true, true])
  })

  it('is shown without tools if it lists none and another of its definitions is approved', async () => {
    const { server, state, waiting } = controlledServer()
    state.config.trust = 'reviewed'
    const prompt = { name: 'ask', description: 'Asks.' }
    const approved = { verdict: 'approved', by: 'ada', at: 0 } as const
    const version = { definition: JSON.stringify(prompt), firstSeenAt: 0, lastSeenAt: 0, review: approved }
    const print = fingerprintOf(prompt)
    const key = { server: 's', kind: 'prompt', name: 'ask' } as const
    const known = {
      ...key,
      current: print,
      isDisabled: false,
      versions: [{ ...version, fingerprint: print }],
    }
    const store = { ...emptyStore().store, loadReviewed: async () => [known] }
    const pins = new Pins({ store, now: () => 0, onError: () => {} })
    const catalog = new Catalog({ ...OPTIONS, isQuarantined: true }, withPins(pins))
    const ready = catalog.ensure(server)
    waiting.shift()?.([])
    await ready
    expect(catalog.isWhollyHeld(server)).toBe(false)
    const rules = { trust: 'reviewed', isQuarantined: true } as const
    for (const [description, isHeld] of [['Obeys.', true] as const, ['Asks.', false] as const]) {
      const definitions = [{ name: 'ask', definition: { name: 'ask', description } }]
      await pins.judge('s', { kind: 'prompt', definitions }, rules)
      expect(catalog.isWhollyHeld(server)).toBe(isHeld)
    }
  })

  it('is not held without quarantine', async () => {
    expect(await weigh('reviewed', false, ['echo'])).toEqual([false, false])
    expect(await weigh('trusted', true, ['echo'])).toEqual([false, false])
    expect(await weigh('trusted', true, [])).toEqual([false, false])
    expect(await weigh('reviewed', false, [])).toEqual([false, false])
  })
})

describe('the catalog', () => {
  it('asks a server again that restarted while its list was being judged', async () => {
    const { server, state, waiting } = controlledServer()
    const { store, gates } = emptyStore()
    const catalog = openCatalog(store)
    let open = (): void => {}
    gates.push(
      new Promise(resolve => {
        open = resolve
      }),
    )
    const first = catalog.ensure(server)
    waiting.shift()?.(['old'])
    await settle()
    // The store is still busy with the first list when the server restarts with a different list.
    state.starts = 2
    const second = catalog.ensure(server)
    open()
    await first
    await settle()
    waiting.shift()?.(['new'])
    await second
    expect([namesOf(catalog), catalog.isVerified(server)]).toEqual([['new'], true])
  })

  it('never replaces a newer list with an older one, however slow the store is', async () => {
    const { server, waiting } = controlledServer()
    const { store, gates } = emptyStore()
    const catalog = openCatalog(store)
    const first = catalog.ensure(server)
    waiting.shift()?.(['old'])
    await first
    await new Promise(resolve => setTimeout(resolve, 510))
    let open = (): void => {}
    gates.push(
      new Promise(resolve => {
        open = resolve
      }),
    )
    // An operator has decided, so the old list is judged again while the store is slow.
    const anew = catalog.judgeAnew(OPTIONS, true)
    await settle()
    catalog.refresh(server)
    waiting.shift()?.(['new'])
    await settle()
    open()
    await anew
    await settle()
    expect(namesOf(catalog)).toEqual(['new'])
  })

  it('does not judge an unchanged list again, but counts the restarted server as verified', async () => {
    const { server, state, waiting } = controlledServer()
    const { store, load } = emptyStore()
    const catalog = openCatalog(store)
    const first = catalog.ensure(server)
    waiting.shift()?.(['a'])
    await first
    const [tool] = catalog.tools('s')
    const before = load.mock.calls.length
    state.starts = 2
    expect(catalog.isVerified(server)).toBe(false)
    const again = catalog.ensure(server)
    waiting.shift()?.(['a'])
    await again
    expect([load.mock.calls.length, catalog.isVerified(server)]).toEqual([before, true])
    expect(catalog.tools('s')[0]).toBe(tool)
  })

  it("applies an operator's decision even if other definitions of the server were judged after it", async () => {
    const { server, waiting } = controlledServer()
    const { store, load } = emptyStore()
    const pins = new Pins({ store, now: () => 0, onError: () => {} })
    const catalog = new Catalog(OPTIONS, withPins(pins))
    const first = catalog.ensure(server)
    waiting.shift()?.(['a', 'b'])
    await first
    const print = catalog.find('s', 'a')?.fingerprint ?? ''
    const version = { fingerprint: print, definition: '{}', review: { verdict: 'rejected', by: 'op', at: 1 } }
    load.mockResolvedValue([{ kind: 'tool', name: 'a', isDisabled: false, versions: [version] }] as never)
    await pins.weigh('s', { kind: 'prompt', definitions: [] }, { trust: 'trusted', isQuarantined: false })
    await catalog.judgeAnew(OPTIONS, false)
    expect(namesOf(catalog)).toEqual(['b'])
  })

  it('applies a decision later if judging failed', async () => {
    const { store, load } = emptyStore()
    const pins = new Pins({ store, now: () => 0, onError: () => {} })
    const rules = { trust: 'trusted', isQuarantined: false } as const
    await pins.weigh('s', { kind: 'tool', definitions: [] }, rules)
    load.mockResolvedValue([{ kind: 'tool', name: 'a', isDisabled: true, versions: [] }] as never)
    // JSON cannot contain a bigint, so judging fails.
    const definitions = [{ name: 'a', definition: { name: 'a', odd: 1n } }]
    await expect(pins.weigh('s', { kind: 'tool', definitions }, rules)).rejects.toThrow()
    expect(await pins.hasNews('s')).toBe(true)
  })

  it('judges an unchanged list again if the store failed last time', async () => {
    const { server, state, waiting } = controlledServer()
    const { store, load, seen } = emptyStore()
    const onError = vi.fn()
    const catalog = openCatalog(store, onError)
    load.mockRejectedValueOnce(new Error('the disk is full'))
    const first = catalog.ensure(server)
    waiting.shift()?.(['a'])
    await first
    expect(onError).toHaveBeenCalledOnce()
    state.starts = 2
    const again = catalog.ensure(server)
    waiting.shift()?.(['a'])
    await again
    expect(load).toHaveBeenCalledTimes(2)
    expect(seen).toEqual([['a']])
  })
})

describe('an error with one server', () => {
  const FAULT = new Error('unexpected')
  /** Judging any definition of this server throws. */
  const failing = {
    ...OPTIONS,
    overrideOf: (server: string) => {
      if (server === 'bad') throw FAULT
      return undefined
    },
  }
  const openWith = (options: typeof OPTIONS | typeof failing) => {
    const pins = new Pins({ store: emptyStore().store, now: () => 0, onError: () => {} })
    const onError = vi.fn()
    return { catalog: new Catalog(options, { ...withPins(pins), onError }), onError }
  }

  it('is reported, and its tools are no longer waited for', async () => {
    const { catalog, onError } = openWith(failing)
    const { server, waiting } = controlledServer('bad')
    const known = catalog.ensure(server)
    waiting.shift()?.(['a'])
    await known
    expect(onError.mock.calls).toEqual([[FAULT, 'bad']])
    expect([catalog.isKnown('bad'), catalog.isVerified(server), catalog.isExpected('bad')]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('does not stop other servers from being judged again', async () => {
    const { catalog, onError } = openWith(OPTIONS)
    for (const name of ['bad', 's']) {
      const { server, waiting } = controlledServer(name)
      const known = catalog.ensure(server)
      waiting.shift()?.(['a'])
      await known
    }
    const readOnly = { hints: { readOnly: true }, by: 'ada', at: '2026-01-01' } as const
    const overrideOf = (server: string) => failing.overrideOf(server) ?? readOnly
    await catalog.judgeAnew({ ...OPTIONS, overrideOf }, true)
    expect(onError.mock.calls).toEqual([[FAULT, 'bad']])
    expect(catalog.find('s', 'a')?.assessment.effective.readOnly.value).toBe(true)
  })
})

it('reports how many tools have no usable name', async () => {
  const pins = new Pins({ store: emptyStore().store, now: () => 0, onError: () => {} })
  const onNameless = vi.fn()
  const catalog = new Catalog(OPTIONS, { ...withPins(pins), onNameless })
  const { server, waiting } = controlledServer()
  const known = catalog.ensure(server)
  waiting.shift()?.(['a', 'x'.repeat(256), 'x'.repeat(257), ''])
  await known
  expect(namesOf(catalog)).toEqual(['a', 'x'.repeat(256)])
  expect(onNameless.mock.calls).toEqual([['s', 2]])
})
