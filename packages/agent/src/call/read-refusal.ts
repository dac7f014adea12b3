import { REFUSAL_CODES, type Reason } from '@hintgate/metadata'
import { AgentError } from '../errors.ts'
import { isJsonObject, type Json } from '../json.ts'

/** Converts a gateway's refusal to an error with a code. A gateway sends refusals as results that a model can read. */
export function readRefusal(tool: string, result: Json): AgentError | undefined {
  const structured = result.isError === true ? result.structuredContent : undefined
  const error = isJsonObject(structured) ? structured.error : undefined
  const code = isJsonObject(error) ? REFUSAL_CODES.find(known => known === error.code) : undefined
  if (!isJsonObject(error) || code === undefined) return undefined
  const { message, remedy, reasons, approval } = error
  return new AgentError(code, typeof message === 'string' ? message : code, {
    tool,
    reasons: Array.isArray(reasons) ? reasons.filter(isReason) : [],
    mayHaveRun: error.verdict === 'failed',
    ...(typeof remedy === 'string' ? { remedy } : {}),
    ...(isApproval(approval) ? { approval } : {}),
  })
}

function isReason(value: unknown): value is Reason {
  return isJsonObject(value) && ['rule', 'source', 'text'].every(field => typeof value[field] === 'string')
}

type Approval = NonNullable<AgentError['facts']['approval']>

function isApproval(value: unknown): value is Approval {
  return isJsonObject(value) && ['id', 'expires', 'approve'].every(field => typeof value[field] === 'string')
}
