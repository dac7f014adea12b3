import { describe, expect, it } from 'vitest'
import { WriteTogether } from './write-together.ts'

describe('WriteTogether', () => {
  it('writes values of one turn together, and those that come during a write in the next batch', async () => {
    const batches: (readonly number[])[] = []
    const open: (() => void)[] = []
    const writes = new WriteTogether<number>(values => {
      batches.push(values)
      return new Promise(resolve => open.push(resolve))
    })
    const first = [writes.add(1), writes.add(2)]
    await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => setImmediate(resolve))
    expect(batches).toEqual([[1, 2]])
    const second = [writes.add(3), writes.add(4)]
    await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => setImmediate(resolve))
    expect(batches).toEqual([[1, 2]])
    open[0]?.()
    await Promise.all(first)
    await new Promise(resolve => setImmediate(resolve))
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ])
    open[1]?.()
    await Promise.all(second)
  })

  it('fails everything in a batch that could not be written, and nothing else', async () => {
    const writes = new WriteTogether<number>(async values => {
      if (values.includes(2)) throw new Error('the disk is full')
    })
    const failed = await Promise.allSettled([writes.add(1), writes.add(2)])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(writes.add(3)).resolves.toBeUndefined()
  })
})
