import { CALL_VARIANTS, type CallVariant, riskLevelOf } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import type { Permission } from '../tokens/scope.ts'
import type { Classified } from './classify.ts'
import { decide, type IntentMode } from './decide.ts'
import type { Claim, OperationType } from './intent.ts'

const MODES: readonly IntentMode[] = ['strict', 'warn', 'off']
const OPERATIONS: readonly (OperationType | undefined)[] = [undefined, 'read', 'write', 'destructive']
const RISK = { read: 1, write: 2, destructive: 3 } as const

/** Only what `decide` looks at. */
function classified(variant: CallVariant, permissions: readonly Permission[], claim?: Claim): Classified {
  const hint = { value: false, source: 'declared' }
  return {
    call: {
      typed: 's:t',
      claim,
      exchange: { caller: { principal: { scope: { permissions, servers: ['*'] } } } },
    },
    tool: { assessment: { effective: { destructive: hint, readOnly: hint } } },
    variant,
  } as unknown as Classified
}

function codeOf(verdict: ReturnType<typeof decide>): string {
  return verdict.kind === 'deny' ? verdict.refusal.code : verdict.notes.length > 0 ? 'noted' : 'allowed'
}

/** The rule once more, slowly: the stricter of both needs permission; claiming less is refused, noted or ignored. */
function expected(
  own: CallVariant,
  permissions: readonly Permission[],
  claim: Claim,
  mode: IntentMode,
): string {
  const used = riskLevelOf(claim.variant)
  const risk = riskLevelOf(own)
  const needed = CALL_VARIANTS[Math.max(used, risk) - 1] ?? own
  if (!permissions.includes(needed)) return 'permission_denied'
  const operation = claim.intent?.operation_type
  const claims = operation === undefined ? [used] : [used, RISK[operation]]
  if (claims.some(claimed => claimed < risk) && (mode === 'strict' || claim.isBinding))
    return 'intent_mismatch'
  return mode !== 'off' && claims.some(claimed => claimed !== risk) ? 'noted' : 'allowed'
}

describe('the verdict on what a call claims', () => {
  it('is that of the table, for every variant, permission, intent and mode', () => {
    const subsets = Array.from({ length: 8 }, (_, bits) =>
      CALL_VARIANTS.filter((_variant, at) => bits & (1 << at)),
    )
    let cases = 0
    for (const own of CALL_VARIANTS)
      for (const used of CALL_VARIANTS)
        for (const permissions of subsets)
          for (const mode of MODES)
            for (const operation of OPERATIONS)
              for (const isBinding of [true, false]) {
                const intent = operation === undefined ? undefined : { operation_type: operation }
                const claim: Claim = { variant: used, intent, isBinding }
                const verdict = decide(classified(own, permissions, claim), mode)
                expect(codeOf(verdict), JSON.stringify({ own, permissions, claim, mode })).toBe(
                  expected(own, permissions, claim, mode),
                )
                cases += 1
              }
    expect(cases).toBe(3 * 3 * 8 * 3 * 4 * 2)
  })

  it("is about the tool's own variant where nothing is claimed", () => {
    expect(codeOf(decide(classified('call_tool_write', ['call_tool_write']), 'strict'))).toBe('allowed')
    expect(codeOf(decide(classified('call_tool_write', ['call_tool_read']), 'off'))).toBe('permission_denied')
  })
})
