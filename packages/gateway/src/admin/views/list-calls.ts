import { type AuditCall, viewCall } from '../../audit/view-call.ts'
import type { AuditRequest, AuditStore } from '../../store/audit-store.ts'
import type { Call } from '../contract/contract.ts'

/** A page of recorded calls, newest first. */
export async function listCalls(
  audit: AuditStore,
  request: AuditRequest,
): Promise<{ items: Call[]; next?: string }> {
  const page = await audit.query(request)
  const items = page.calls.flatMap(stored => {
    const call = viewCall(stored)
    return call === undefined ? [] : [describeCall(call)]
  })
  return { items, ...(page.next === undefined ? {} : { next: page.next }) }
}

export function describeCall(call: AuditCall): Call {
  const { request, time, agent, server, tool, outcome, code, ms, action, severity, session } = call
  const variant = VARIANTS.find(known => known === call.variant)
  const verdict = VERDICTS.find(known => known === call.verdict)
  return {
    request,
    at: Date.parse(time),
    agent,
    server,
    tool,
    ...(variant === undefined ? {} : { variant }),
    ...(verdict === undefined ? {} : { verdict }),
    outcome,
    ...(code === undefined ? {} : { code }),
    ...(ms === undefined ? {} : { durationMs: ms }),
    sentence: action,
    severity,
    ...(session === undefined ? {} : { session }),
  }
}

const VARIANTS = ['read', 'write', 'destructive'] as const
const VERDICTS = ['allow', 'confirm', 'deny'] as const
