import { RPC, type RpcError } from '../../protocol/messages.ts'
import { MODERN_VERSION } from '../../protocol/modern.ts'
import type { Classify } from './classify-inbound.ts'

interface Refused {
  readonly status: number
  readonly error: RpcError
}

type Outcome = ReturnType<Classify>

/** A message that is neither a legacy one nor plainly modern, and what is wrong with it. */
export function refuseUnclear(
  outcome: Extract<Outcome, { kind: 'reject' }> | Extract<Outcome, { kind: 'modern' }>,
): Refused {
  return outcome.kind === 'reject' ? rejection(outcome) : refuseModern(outcome)
}

function rejection({ httpStatus, code, message, data }: Extract<Outcome, { kind: 'reject' }>): Refused {
  return { status: httpStatus, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** Modern, but not plainly so: a revision that is not ours, or headers that do not say what the body says. */
function refuseModern({ classification }: Extract<Outcome, { kind: 'modern' }>): Refused {
  const { revision } = classification
  if (revision === MODERN_VERSION) {
    return {
      status: 400,
      error: { code: RPC.headerMismatch, message: 'the MCP-Protocol-Version header and the body disagree' },
    }
  }
  const data = { supported: [MODERN_VERSION], requested: revision }
  return {
    status: 400,
    error: { code: RPC.unsupportedVersion, message: `Unsupported protocol version: ${revision}`, data },
  }
}
