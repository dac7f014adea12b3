import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../scripts/newcomer.mjs', import.meta.url))

describe('a newcomer', () => {
  it('gets from a fresh clone to approved and recorded calls in under two minutes', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/^✓/gm)).toHaveLength(10)
  })
})
