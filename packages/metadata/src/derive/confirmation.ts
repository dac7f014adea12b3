import type { Reason } from '../reason.ts'
import type { EffectiveHints, Source } from '../record/tool-record.ts'
import type { CallVariant } from './variant.ts'

/** What a call does, in the words of rules and grants. */
export type CallKind = 'read' | 'write' | 'destructive'

/** Whether calls of a kind ask a person first. */
export type Graduation = Readonly<Record<CallKind, 'never' | 'always'>>

const KINDS: Readonly<Record<CallVariant, CallKind>> = {
  call_tool_read: 'read',
  call_tool_write: 'write',
  call_tool_destructive: 'destructive',
}

/**
 * The kind of call that a variant stands for.
 *
 * @example
 * import { kindOfVariant } from '@hintgate/metadata'
 * kindOfVariant('call_tool_destructive') // => 'destructive'
 */
export function kindOfVariant(variant: CallVariant): CallKind {
  return KINDS[variant]
}

const SAID: Readonly<Record<Source, string>> = {
  declared: 'declared by the server',
  inferred: 'inferred from its definition',
  override: 'set by the operator',
  default: 'assumed, because nobody says otherwise',
}

/**
 * Why calls of this variant ask a person first: it says who says that a call is of that kind. `source` is where the
 * rule to ask is from.
 *
 * @example
 * import { assessTool, reasonToConfirm } from '@hintgate/metadata'
 * const { variant, effective } = assessTool({ name: 'delete_file' })
 * reasonToConfirm({ variant, effective }, 'config').text
 * // => 'destructive calls ask a person first; that this is one is inferred from its definition'
 */
export function reasonToConfirm(
  { variant, effective }: { readonly variant: CallVariant; readonly effective: EffectiveHints },
  source: string,
): Reason {
  const kind = KINDS[variant]
  const { destructive, readOnly } = effective
  const who = SAID[kind === 'destructive' ? destructive.source : readOnly.source]
  const text = `${kind} calls ask a person first; that this is one is ${who}`
  return { rule: `confirm.${kind}`, source, text }
}
