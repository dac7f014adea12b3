import { isJsonObject, type Json, RPC, type RpcError } from '../protocol/messages.ts'
import type { Reason } from '../verdict/facts.ts'
import type { ResultRules } from '../verdict/rules.ts'
import {
  type Beside,
  type Checked,
  checkResult,
  checkResultBeside,
  META_TAINT,
  WARNING,
} from './check-result.ts'

export type CheckedError =
  | { readonly kind: 'shown'; readonly error: RpcError }
  | { readonly kind: 'blocked'; readonly reasons: readonly Reason[] }

interface Checking {
  readonly rules: ResultRules
  /** Whether its words may be anybody's. */
  readonly isOpenWorld: boolean
}

/** What a server says in an error is read, too. */
export function checkError(error: RpcError, checking: Checking): CheckedError {
  return judge(error, checking, checkResult({ error }, flagging(checking)))
}

/** The same, for errors that may be long. */
export async function checkErrorBeside(
  error: RpcError,
  checking: Checking,
  beside: Beside,
): Promise<CheckedError> {
  return judge(error, checking, await checkResultBeside({ error }, flagging(checking), beside))
}

function flagging({ rules, isOpenWorld }: Checking) {
  const flagged: ResultRules = rules.instructions === 'mark' ? { ...rules, instructions: 'flag' } : rules
  return { rules: flagged, isOpenWorld, misfit: undefined }
}

function judge(error: RpcError, { rules }: Checking, checked: Checked): CheckedError {
  const isMarked = rules.instructions === 'mark'
  if (checked.kind === 'blocked') return checked
  if (checked.kind === 'clean') return { kind: 'shown', error }
  const shown = isJsonObject(checked.result.error) ? checked.result.error : {}
  const taint = isJsonObject(checked.result._meta) ? checked.result._meta[META_TAINT] : undefined
  const isSuspect = isMarked && isJsonObject(taint) && hasInstructions(taint.findings)
  const message = typeof shown.message === 'string' ? shown.message : ''
  return {
    kind: 'shown',
    error: {
      ...shown,
      code: typeof shown.code === 'number' ? shown.code : RPC.internal,
      message: isSuspect ? `${WARNING}\n${message}` : message,
      ...withTaint(shown.data, taint),
    },
  }
}

/** An error has one place of its own for what is said of it, unless its server put something else there. */
function withTaint(data: unknown, taint: unknown): Json {
  if (data === undefined) return { data: { [META_TAINT]: taint } }
  return { data: isJsonObject(data) ? { ...data, [META_TAINT]: taint } : data }
}

function hasInstructions(findings: unknown): boolean {
  return Array.isArray(findings) && findings.some(one => isJsonObject(one) && one.kind === 'instructions')
}
