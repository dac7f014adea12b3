import type { Reason } from '../reason.ts'
import type { EffectiveHints, Source } from '../record/tool-record.ts'
import type { CallVariant } from './variant.ts'

/** The kinds of calls that rules and permissions distinguish. */
export type CallKind = 'read' | 'write' | 'destructive'

/** Says for each kind of call whether it needs approval. */
export type Graduation = Readonly<Record<CallKind, 'never' | 'always'>>

const KINDS: Readonly<Record<CallVariant, CallKind>> = {
  call_tool_read: 'read',
  call_tool_write: 'write',
  call_tool_destructive: 'destructive',
}

/**
 * Returns the kind of call that a variant stands for.
 *
 * @example
 * import { kindOfVariant } from '@hintgate/metadata'
 * kindOfVariant('call_tool_destructive') // => 'destructive'
 */
export function kindOfVariant(variant: CallVariant): CallKind {
  return KINDS[variant]
}

const NAMED: Readonly<Record<CallKind, string>> = {
  read: 'a read',
  write: 'a write',
  destructive: 'destructive',
}
const SAID: Readonly<Record<Source, (what: string) => string>> = {
  declared: what => `the server declares this tool ${what}.`,
  inferred: what => `this tool's definition suggests that it is ${what}.`,
  override: what => `an operator marked this tool as ${what}.`,
  default: what => `this tool counts as ${what} by default, because its hints are undeclared.`,
}
/**
 * Returns the reason why calls of this variant need approval, including how the tool's kind is known. `source` is where
 * the rule comes from.
 *
 * @example
 * import { assessTool, reasonToConfirm } from '@hintgate/metadata'
 * const { variant, effective } = assessTool({ name: 'delete_file' })
 * reasonToConfirm({ variant, effective }, 'config').text
 * // => "Destructive calls need approval, and this tool's definition suggests that it is destructive."
 */
export function reasonToConfirm(
  { variant, effective }: { readonly variant: CallVariant; readonly effective: EffectiveHints },
  source: string,
): Reason {
  const kind = KINDS[variant]
  const { destructive, readOnly } = effective
  const say = SAID[kind === 'destructive' ? destructive.source : readOnly.source]
  const text = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} calls need approval, and ${say(NAMED[kind])}`
  return { rule: `confirm.${kind}`, source, text }
}
