import type { Reason } from '../policy/facts/facts.ts'
import type { ResultRules } from '../policy/rules.ts'
import { isJsonObject, type Json, RPC, type RpcError } from '../protocol/messages.ts'
import { type Beside, type Checked, checkResult, checkResultBeside, META_TAINT } from './check-result.ts'

export type CheckedError =
  | { readonly kind: 'shown'; readonly error: RpcError }
  | { readonly kind: 'blocked'; readonly reasons: readonly Reason[] }

interface Checking {
  readonly rules: ResultRules
  /** True if the error's text could come from anyone. */
  readonly isOpenWorld: boolean
  /** Removes reserved text. Undefined for an error from the gateway itself that quotes a server. */
  readonly restrain?: (shown: RpcError) => RpcError
}

export function checkError(error: RpcError, checking: Checking): CheckedError {
  return judge(error, checking, checkResult({ error }, checkingBy(checking)))
}

/** Checks an error as `checkError` does, but searches a long one in a worker thread. */
export async function checkErrorBeside(
  error: RpcError,
  checking: Checking,
  beside: Beside,
): Promise<CheckedError> {
  return judge(error, checking, await checkResultBeside({ error }, checkingBy(checking), beside))
}

function checkingBy({ rules, isOpenWorld }: Checking) {
  return { rules, isOpenWorld, misfit: undefined }
}

function judge(error: RpcError, { restrain = keep }: Checking, checked: Checked): CheckedError {
  if (checked.kind === 'blocked') return checked
  if (checked.kind !== 'changed') return { kind: 'shown', error: restrain(error) }
  const { result, warning } = checked
  const taint = isJsonObject(result._meta) ? result._meta[META_TAINT] : undefined
  const shown = restrain(readError(result.error))
  return {
    kind: 'shown',
    error: {
      ...shown,
      message: warning === undefined ? shown.message : `${warning}\n${shown.message}`,
      ...withTaint(shown.data, taint),
    },
  }
}

const keep = (error: RpcError): RpcError => error

/** Restores the shape of an error after a search, which might have replaced its numeric code with text. */
function readError(changed: unknown): RpcError {
  const { code, message, ...rest }: Json = isJsonObject(changed) ? changed : {}
  return {
    code: typeof code === 'number' ? code : RPC.internal,
    message: typeof message === 'string' ? message : '',
    ...rest,
  }
}

/** The field that keeps the server's data if that is not an object. */
const SERVER_DATA = 'server_data'

/** Adds the findings to an error's data, in a reserved field that a server cannot set. */
function withTaint(data: unknown, taint: unknown): Json {
  const own = isJsonObject(data) ? data : data === undefined ? {} : { [SERVER_DATA]: data }
  return { data: { ...own, [META_TAINT]: taint } }
}
