import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8')
const { rooms } = JSON.parse(readFileSync(new URL('boundaries.json', root), 'utf8')) as {
  readonly rooms: readonly { readonly name: string; readonly uses: readonly string[] }[]
}

it('names only files that exist', () => {
  const named = [...page.matchAll(/^\s*((?:inbound|exchange|call|upstream)\/[\w/.-]+\.ts)/gm)].map(
    ([, file]) => file,
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter(file => !existsSync(new URL(`packages/gateway/src/${file}`, root)))).toEqual([])
})

it('names every room once, below the rooms that it uses', () => {
  const start = page.indexOf('## The rooms of the gateway')
  const list = page.slice(start, page.indexOf('## The path of one call'))
  const heads = list.split('\n').flatMap(line => /^((?:[a-z-]+\/ |main\.ts )+) /.exec(line)?.[1] ?? [])
  const named = heads.flatMap(head => head.trim().split(' ')).map(name => name.replace('/', ''))
  expect(named.toSorted()).toEqual(rooms.map(({ name }) => name).toSorted())
  for (const { name, uses } of rooms)
    for (const used of uses)
      expect(named.indexOf(used), `${used} above ${name}`).toBeLessThan(named.indexOf(name))
})
