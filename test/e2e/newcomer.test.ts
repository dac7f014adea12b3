import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../scripts/newcomer.mjs', import.meta.url))

describe('a newcomer', () => {
  it('gets from nothing to an agent that is held back and recorded, in less than two minutes', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/^✓/gm)).toHaveLength(10)
  })
})
