import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasCode } from '../base/errors.ts'
import { type LoadedConfig, loadConfig } from './load-config.ts'
import { createReloader, type ReloadEvent, type Reloader } from './reloader.ts'
import { Sources } from './sources.ts'

const portText = (port: number, policies: readonly string[] = []) =>
  JSON.stringify({ listen: `127.0.0.1:${port}`, policies })

describe('a config that is edited while the gateway runs', () => {
  let folder: string
  let path: string
  let events: ReloadEvent<LoadedConfig>[]
  let reloader: Reloader | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-watch-'))
    path = join(folder, 'hintgate.json')
    events = []
    writeFileSync(path, portText(1))
  })
  afterEach(() => {
    reloader?.close()
    rmSync(folder, { recursive: true })
  })

  const load = async (sources: Sources) => {
    const loaded = loadConfig({ path, env: {}, cwd: folder, homeDir: folder, sources })
    sources.note(loaded.config.policies)
    return loaded
  }
  const start = async () => {
    const sources = new Sources()
    await load(sources)
    reloader = createReloader({ sources, load, onEvent: event => events.push(event) })
  }
  const seen = () =>
    events.map(event => {
      if (event.kind === 'applied') return event.loaded.config.listen.port
      return hasCode(event.error, 'config_invalid') ? event.error.payload.problems[0]?.message : event.error
    })
  const expectSeen = (expected: unknown[]) =>
    vi.waitFor(() => expect(seen()).toEqual(expected), { timeout: 15_000 })
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

  it('is applied when valid and refused when invalid', async () => {
    await start()
    writeFileSync(path, portText(2))
    await expectSeen([2])
    writeFileSync(path, '{ "lissten": 1 }')
    await expectSeen([2, 'unknown key'])
    writeFileSync(path, portText(3))
    await expectSeen([2, 'unknown key', 3])
  })

  it('is reloaded when an editor saves by renaming, repeatedly', async () => {
    await start()
    for (const port of [2, 3, 4]) {
      writeFileSync(`${path}.tmp`, portText(port))
      renameSync(`${path}.tmp`, path)
      await expectSeen(Array.from({ length: port - 1 }, (_, index) => index + 2))
    }
  })

  it('is reloaded when a symbolic link is swapped, as Kubernetes does', async () => {
    for (const port of [1, 2]) {
      mkdirSync(join(folder, `v${port}`))
      writeFileSync(join(folder, `v${port}/hintgate.json`), portText(port))
    }
    rmSync(path)
    symlinkSync('v1', join(folder, 'data'))
    symlinkSync('data/hintgate.json', path)
    await start()
    symlinkSync('v2', join(folder, 'data.tmp'))
    renameSync(join(folder, 'data.tmp'), join(folder, 'data'))
    await expectSeen([2])
    writeFileSync(join(folder, 'v2/hintgate.json'), portText(3))
    await expectSeen([2, 3])
  })

  it('is read once for many writes, and not again without a change', async () => {
    await start()
    for (let i = 0; i < 20; i++) writeFileSync(path, portText(2))
    await expectSeen([2])
    writeFileSync(path, portText(2))
    writeFileSync(join(folder, 'other.json'), '{}')
    await pause(300)
    expect(seen()).toEqual([2])
  })

  it.each(['policies/*.yaml', 'policies/*/*.yaml'])(
    'is reloaded when one of %s is added, changed or removed',
    async pattern => {
      const policy = join(folder, pattern.replaceAll('*', 'a'))
      mkdirSync(dirname(policy), { recursive: true })
      writeFileSync(path, portText(1, [pattern]))
      await start()
      writeFileSync(policy, 'rules: []')
      await expectSeen([1])
      writeFileSync(policy, 'rules: [ ]')
      await expectSeen([1, 1])
      rmSync(policy)
      await expectSeen([1, 1, 1])
    },
  )

  it('is reloaded when a policy file changes that was only added by the last edit', async () => {
    const policy = join(folder, 'far/away/a.yaml')
    await start()
    writeFileSync(path, portText(2, ['far/away/a.yaml']))
    await expectSeen([2])
    mkdirSync(dirname(policy), { recursive: true })
    writeFileSync(policy, 'rules: []')
    await expectSeen([2, 2])
    writeFileSync(policy, 'rules: [ ]')
    await expectSeen([2, 2, 2])
  })

  it('is reloaded when a policy changes next to an unreadable one', () => {
    const [readable, unreadable] = [join(folder, 'a.yaml'), join(folder, 'z.yaml')]
    writeFileSync(readable, 'a: 1')
    // A sparse file is too long to read, even as root.
    writeFileSync(unreadable, '')
    truncateSync(unreadable, 3 * 2 ** 30)
    const sources = new Sources()
    sources.note([join(folder, '*.yaml')])
    expect(sources.findChange()).toBeUndefined()
    writeFileSync(readable, 'a: 2')
    expect(sources.findChange()).toBeDefined()
  })

  it('is reloaded when its folder is replaced', async () => {
    const policies = join(folder, 'far/policies')
    const write = (at: string, text: string) => {
      mkdirSync(at, { recursive: true })
      writeFileSync(join(at, 'a.yaml'), text)
    }
    write(policies, 'one')
    writeFileSync(path, portText(1, ['far/policies/*.yaml']))
    await start()
    write(`${policies}.new`, 'two')
    renameSync(policies, `${policies}.old`)
    renameSync(`${policies}.new`, policies)
    await expectSeen([1])
    write(policies, 'three')
    await expectSeen([1, 1])
  })

  it('is reloaded when a policy that it no longer names is deleted', async () => {
    writeFileSync(join(folder, 'a.yaml'), 'rules: []')
    writeFileSync(path, portText(1, ['a.yaml']))
    await start()
    rmSync(join(folder, 'a.yaml'))
    writeFileSync(path, portText(2))
    await expectSeen([2])
  })

  it('is reloaded when written between reading and watching', async () => {
    const sources = new Sources()
    await load(sources)
    writeFileSync(path, portText(2))
    reloader = createReloader({ sources, load, onEvent: event => events.push(event) })
    await expectSeen([2])
  })

  it('is reloaded when written during the previous reload', async () => {
    const sources = new Sources()
    await load(sources)
    const slowly = async (next: Sources) => {
      const loaded = await load(next)
      if (loaded.config.listen.port === 2) writeFileSync(path, portText(3))
      await pause(200)
      return loaded
    }
    reloader = createReloader({ sources, load: slowly, onEvent: event => events.push(event) })
    writeFileSync(path, portText(2))
    await expectSeen([2, 3])
  })

  it('is reloaded after an unexpected error in the previous reload', async () => {
    const sources = new Sources()
    await load(sources)
    const onEvent = (event: ReloadEvent<LoadedConfig>) => {
      events.push(event)
      if (events.length === 1) throw new Error('a fault')
    }
    reloader = createReloader({ sources, load, onEvent })
    writeFileSync(path, portText(2))
    await expect(reloader.reload()).rejects.toThrow('a fault')
    writeFileSync(path, portText(3))
    await expectSeen([2, 3])
  })

  it('is not delayed by other changes in its folder', async () => {
    await start()
    const noise = setInterval(() => writeFileSync(join(folder, 'a.log'), String(Math.random())), 5)
    try {
      for (const port of [2, 3, 4]) {
        writeFileSync(path, portText(port))
        await expectSeen(Array.from({ length: port - 1 }, (_, index) => index + 2))
      }
    } finally {
      clearInterval(noise)
    }
  })

  it('is reloaded even if it never stops changing', async () => {
    await start()
    let port = 1
    const edits = setInterval(() => {
      writeFileSync(`${path}.tmp`, portText(++port))
      renameSync(`${path}.tmp`, path)
    }, 10)
    try {
      await vi.waitFor(() => expect(events.length).toBeGreaterThan(1), { timeout: 15_000 })
    } finally {
      clearInterval(edits)
    }
    await vi.waitFor(() => expect(seen().at(-1)).toBe(port), { timeout: 15_000 })
    expect(seen()).toEqual([...new Set(seen())])
  })

  it('stays in force while the file is missing', async () => {
    await start()
    rmSync(path)
    await pause(250)
    expect(events).toEqual([])
    writeFileSync(path, portText(2))
    await expectSeen([2])
  })

  it('is not watched after close, not even by a timer', async () => {
    await start()
    writeFileSync(path, portText(2))
    await pause(30)
    reloader?.close()
    await pause(300)
    expect(events).toEqual([])
    const active = process.getActiveResourcesInfo()
    expect(active.filter(resource => resource === 'FSEventWrap')).toEqual([])
  })

  it('is reloaded on demand', async () => {
    await start()
    void reloader?.reload()
    await expectSeen([1])
  })
})
