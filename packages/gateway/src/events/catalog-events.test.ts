import { describe, expect, it } from 'vitest'
import type { CatalogChange } from '../catalog/catalog.ts'
import { alertContradictions } from './catalog-events.ts'
import { EventHub } from './event-hub.ts'

const CLAIM = { hint: 'readOnlyHint', text: 'readOnlyHint is declared true, but the name says "delete"' }

type Watched = Parameters<typeof alertContradictions>[0]

function watch() {
  const hub = new EventHub(() => 0)
  const heard: unknown[] = []
  hub.listen(({ type, data }) => heard.push([type, data.tool, data.fingerprint]))
  let tell: (change: CatalogChange) => void = () => {}
  const held: { name: string; fingerprint: string; contradictions: readonly object[] }[] = []
  const catalog = {
    onChange(listener: (change: CatalogChange) => void) {
      tell = listener
      return () => {}
    },
    tools: () => [],
    held: () => held,
  }
  alertContradictions(catalog as unknown as Watched, hub)
  const change = (fingerprint: string, contradictions: readonly object[]): void => {
    held.splice(0, held.length, { name: 'delete_file', fingerprint, contradictions })
    tell({ server: 's', isFirst: false })
  }
  return { heard, change }
}

describe('the contradiction alert', () => {
  it('is raised once per version, however often the version returns, and again for another version', () => {
    const { heard, change } = watch()
    change('a', [CLAIM])
    change('b', [])
    change('a', [CLAIM])
    change('a', [CLAIM])
    change('c', [CLAIM])
    expect(heard).toEqual([
      ['alert.contradiction', 'delete_file', 'a'],
      ['alert.contradiction', 'delete_file', 'c'],
    ])
  })

  it('is remembered for a long time, but not forever', () => {
    const { heard, change } = watch()
    for (let version = 0; version <= 10_000; version++) change(String(version), [CLAIM])
    change('10000', [CLAIM])
    expect(heard.length).toBe(10_001)
    change('0', [CLAIM])
    expect(heard.length).toBe(10_002)
  })
})
