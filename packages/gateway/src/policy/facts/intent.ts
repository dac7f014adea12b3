import { type CallVariant, riskLevelOf } from '@hintgate/metadata'

export interface Intent {
  readonly operation_type?: OperationType
  readonly data_sensitivity?: 'public' | 'internal' | 'private' | 'unknown'
  readonly reason?: string
}

type OperationType = 'read' | 'write' | 'destructive'

/**
 * The claim that a call on the search surface makes about itself: the variant that it used and the intent that it
 * declared.
 */
export interface Claim {
  readonly variant: CallVariant
  readonly intent?: Intent | undefined
  /** True if the claim is enforced in every intent mode: a batch of parallel reads must not run anything else. */
  readonly isBinding?: boolean
}

const VARIANT_OF: Readonly<Record<OperationType, CallVariant>> = {
  read: 'call_tool_read',
  write: 'call_tool_write',
  destructive: 'call_tool_destructive',
}

export type Comparison =
  | { readonly kind: 'fits' }
  | { readonly kind: 'less'; readonly claimed: CallVariant; readonly by: 'variant' | 'intent' }
  /** The call claims more than its tool does. That is harmless, but the caller might have misunderstood the tool. */
  | { readonly kind: 'more'; readonly claimed: CallVariant; readonly by: 'variant' | 'intent' }

/** Compares what a call claims with what its tool does. The weaker claim counts. */
export function compareClaim({ variant, intent }: Claim, own: CallVariant): Comparison {
  const operation = intent?.operation_type
  const claims: readonly (readonly ['variant' | 'intent', CallVariant])[] = [
    ['variant', variant],
    ...(operation === undefined ? [] : [['intent', VARIANT_OF[operation]] as const]),
  ]
  const less = claims.find(([, claimed]) => riskLevelOf(claimed) < riskLevelOf(own))
  if (less !== undefined) return { kind: 'less', by: less[0], claimed: less[1] }
  const more = claims.find(([, claimed]) => riskLevelOf(claimed) > riskLevelOf(own))
  return more === undefined ? { kind: 'fits' } : { kind: 'more', by: more[0], claimed: more[1] }
}
