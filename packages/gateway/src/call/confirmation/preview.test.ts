import { describe, expect, it } from 'vitest'
import type { IncomingCall } from '../../exchange/incoming-call.ts'
import { dryRunArguments, isDryRun } from './preview.ts'

const WIPE = {
  inputSchema: { properties: { id: {}, dry_run: { type: 'boolean' } } },
  _meta: { 'io.hintgate/preview': { argument: 'dry_run' } },
}
const WAY = { kind: 'argument', name: 'dry_run', value: true } as const

function preview(args: unknown): IncomingCall {
  return { isPreview: true, params: { arguments: args } } as unknown as IncomingCall
}

describe('a dry run', () => {
  it('is a call with the declared argument, which comes last', () => {
    const args = dryRunArguments({ dry_run: false, id: 1 }, WAY)
    expect(args && Object.keys(args)).toEqual(['id', 'dry_run'])
    expect(isDryRun(preview(args), WIPE)).toBe(true)
  })

  it.each([
    'Dry_Run',
    'DRY_RUN',
    'dryRun',
    'dry-run',
    'ｄry_run',
    'dry_\u200Brun',
    'drу_run',
    'x'.repeat(300),
  ])('is refused beside the key %s, which a server may read instead', key => {
    expect(dryRunArguments({ dry_run: false, [key]: false }, WAY)).toBeUndefined()
    expect(isDryRun(preview({ [key]: false, dry_run: true }), WIPE)).toBe(false)
  })

  it('is made beside keys that no server confuses with it', () => {
    expect(dryRunArguments({ run: 1, dry: 2, dry_runs: 3 }, WAY)).toEqual({
      run: 1,
      dry: 2,
      dry_runs: 3,
      dry_run: true,
    })
  })

  it('is only a call that the gateway makes as a preview', () => {
    expect(isDryRun({ ...preview({ dry_run: true }), isPreview: false }, WIPE)).toBe(false)
  })
})
