import { expect, it } from 'vitest'
import { checkRooms, findCycles, listImports, listSources } from '../../scripts/rooms.mjs'

const ROOMS = [
  { name: 'base', uses: [] },
  { name: 'store', uses: ['base'] },
  { name: 'call', uses: ['store'] },
]
const FINE = [
  { from: 'store/store.ts', to: 'base/errors.ts' },
  { from: 'call/handle-call.ts', to: 'store/store.ts' },
]
const FILES = ['base/errors.ts', 'store/store.ts', 'call/handle-call.ts']

it('finds no problems if every import is allowed', () => {
  expect(checkRooms({ files: FILES, imports: FINE, rooms: ROOMS })).toEqual([])
})

it('refuses an import that boundaries.json does not allow', () => {
  const imports = [...FINE, { from: 'call/handle-call.ts', to: 'base/errors.ts' }]
  expect(checkRooms({ files: FILES, imports, rooms: ROOMS })).toEqual([
    'call must not use base: call/handle-call.ts → base/errors.ts',
  ])
})

it('refuses an import against the order, even if boundaries.json allows it', () => {
  const rooms = [{ name: 'base', uses: ['call'] }, ...ROOMS.slice(1)]
  const imports = [...FINE, { from: 'base/errors.ts', to: 'call/handle-call.ts' }]
  expect(checkRooms({ files: FILES, imports, rooms })).toEqual([
    'base must not use call: it comes later in boundaries.json',
    expect.stringMatching(/^cycle between folders: /),
  ])
})

it('finds cycles between a folder and its subfolder, and between three folders', () => {
  const nested = [
    { from: 'call/a.ts', to: 'call/confirm/b.ts' },
    { from: 'call/confirm/c.ts', to: 'call/d.ts' },
  ]
  expect(findCycles(nested)).toEqual([['call', 'call/confirm', 'call']])
  const round = ['a', 'b', 'c'].map((from, at) => ({ from: `${from}/x.ts`, to: `${'bca'[at]}/y.ts` }))
  expect(findCycles(round)).toHaveLength(1)
})

it('refuses unused allowances, unused reasons and files outside of any room', () => {
  const rooms = [...ROOMS, { name: 'cli', uses: ['base'], why: { store: 'it did once' } }]
  const files = [...FILES, 'loose.ts']
  expect(checkRooms({ files, imports: FINE, rooms })).toEqual([
    'cli gives a reason to use store, but does not use it: remove the reason from boundaries.json',
    'cli no longer uses base: remove it from boundaries.json',
    'loose.ts is in no room of boundaries.json',
  ])
})

it('refuses a folder with too many files', () => {
  const files = [...FILES, ...Array.from({ length: 50 }, (_, at) => `base/file-${at}.ts`)]
  expect(checkRooms({ files, imports: FINE, rooms: ROOMS })).toEqual([
    expect.stringMatching(/^base has 51 files/),
  ])
})

it('ignores tests and their support files', () => {
  const file = (source: string, ...resolved: string[]) => ({
    source: `packages/gateway/src/${source}`,
    dependencies: resolved.map(path => ({ resolved: `packages/gateway/src/${path}` })),
  })
  const modules = [
    file('store/store.ts', 'base/errors.ts'),
    file('store/store.test.ts', 'call/handle-call.ts'),
    file('store/contract-audit.ts', 'call/handle-call.ts'),
    file('base/errors.ts'),
  ]
  expect(listImports(modules)).toEqual([{ from: 'store/store.ts', to: 'base/errors.ts' }])
  expect(listSources(modules)).toEqual(['store/store.ts', 'base/errors.ts'])
})

it('refuses a tiny file with a single user in its folder', () => {
  const files = [...FILES, 'call/few.ts', 'call/shared.ts']
  const uses = [
    ...FINE,
    { from: 'call/handle-call.ts', to: 'call/few.ts' },
    { from: 'call/handle-call.ts', to: 'call/shared.ts' },
    { from: 'call/few.ts', to: 'call/shared.ts' },
  ]
  const countLines = (file: string) => (file.startsWith('call/handle') ? 90 : 24)
  expect(checkRooms({ files, imports: uses, rooms: ROOMS, countLines })).toEqual([
    'call/few.ts has fewer than 25 lines and only call/handle-call.ts uses it: move it there',
  ])
})
