import { describe, expect, it, vi } from 'vitest'
import type { DefinitionStore, StoredDefinition } from '../store/store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { Catalog, type CatalogDeps } from './catalog.ts'
import { fingerprintOf, Pins } from './pins.ts'

/** A server whose answers the test gives when it likes. */
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

/** A store that knows nothing, and can be made to take its time. */
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

/** Somebody to whom nothing is told. */
const withPins = (pins: Pins): CatalogDeps => ({ pins, onError: () => {}, onNameless: () => {} })

function openCatalog(store: DefinitionStore, onError: (error: unknown) => void = () => {}): Catalog {
  return new Catalog(OPTIONS, withPins(new Pins({ store, now: () => 0, onError })))
}

const namesOf = (catalog: Catalog): string[] => catalog.tools('s').map(({ name }) => name)
const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20))

describe('a server of which nothing is approved', () => {
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

  it('is held as long as it has not said what there is to approve, and then as long as that waits', async () => {
    expect(await weigh('reviewed', true, ['echo'])).toEqual([true, true])
    expect(await weigh('reviewed', true, [])).toEqual([true, true])
  })

  it('is heard when it has no tools and something else of it is approved, as long as it says just that', async () => {
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

  it('is not held where nothing waits', async () => {
    expect(await weigh('reviewed', false, ['echo'])).toEqual([false, false])
    expect(await weigh('trusted', true, ['echo'])).toEqual([false, false])
    expect(await weigh('trusted', true, [])).toEqual([false, false])
    expect(await weigh('reviewed', false, [])).toEqual([false, false])
  })
})

describe('the catalog', () => {
  it('asks again who started anew while what it said was still being judged', async () => {
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
    // The store still thinks about the first list when the server starts anew and says something else.
    state.starts = 2
    const second = catalog.ensure(server)
    open()
    await first
    await settle()
    waiting.shift()?.(['new'])
    await second
    expect([namesOf(catalog), catalog.isVerified(server)]).toEqual([['new'], true])
  })

  it('never lets an older list take the place of a newer one, however slow the store is', async () => {
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
    // An operator said something, the old list is judged anew, and the store takes its time.
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

  it('does not judge again who only repeats itself, but takes its new start for verified', async () => {
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

  it('hears of what an operator said, even when something else of the server was judged by it before', async () => {
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

  it('hears of it once more where judging by it failed', async () => {
    const { store, load } = emptyStore()
    const pins = new Pins({ store, now: () => 0, onError: () => {} })
    const rules = { trust: 'trusted', isQuarantined: false } as const
    await pins.weigh('s', { kind: 'tool', definitions: [] }, rules)
    load.mockResolvedValue([{ kind: 'tool', name: 'a', isDisabled: true, versions: [] }] as never)
    // No JSON has such a number.
    const definitions = [{ name: 'a', definition: { name: 'a', odd: 1n } }]
    await expect(pins.weigh('s', { kind: 'tool', definitions }, rules)).rejects.toThrow()
    expect(await pins.hasNews('s')).toBe(true)
  })

  it('judges a repetition all the same when the store was not there the last time', async () => {
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

describe('what goes wrong with one server', () => {
  const FAULT = new Error('nobody thought of that')
  /** Whatever is said of the tools of this one is too much for us. */
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

  it('is told, and nobody waits for its tools any more', async () => {
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

  it('keeps nobody else from being judged anew', async () => {
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

it('tells how many tools have no name that could be used', async () => {
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
