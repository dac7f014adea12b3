import { describe, expect, it } from 'vitest'
import { untilGrown } from './contract-waiting.ts'
import type { Store } from './store.ts'

export function describeSecrets(open: () => Promise<Store>): void {
  describe('secrets', () => {
    it('are visible to all processes on the store until they are removed', async () => {
      const [one, other] = [await open(), await open()]
      const before = other.version()
      expect(await one.secrets.find('a')).toBeUndefined()
      await one.secrets.save('a', 'first')
      await untilGrown(other, before)
      expect(await other.secrets.find('a')).toBe('first')
      await other.secrets.save('a', 'second')
      expect(await one.secrets.find('a')).toBe('second')
      expect(await one.secrets.find('A')).toBeUndefined()
      expect(await one.secrets.remove('a')).toBe(true)
      expect(await one.secrets.remove('a')).toBe(false)
      expect(await other.secrets.find('a')).toBeUndefined()
    })
  })
}
