import type { IntentEntry, KnownTool, OutcomeEntry } from '../entry.ts'

export const WRITES: KnownTool = {
  fingerprint: 'f'.repeat(64),
  variant: 'call_tool_write',
  hints: 'readOnly-default destructive+declared',
  title: 'Update contact',
}

export const READS: KnownTool = { ...WRITES, variant: 'call_tool_read' }

export function exampleEntry(requestId: string, fields: Partial<IntentEntry> = {}): IntentEntry {
  return {
    requestId,
    at: 1000,
    principal: 'agent:bot',
    session: 'session-1',
    door: 'search',
    server: 'crm',
    tool: 'update',
    typed: 'crm:update',
    known: WRITES,
    arguments: { name: 'Ada' },
    verdict: 'allow',
    reasons: [],
    ...fields,
  }
}

export function exampleEnding(call: IntentEntry, fields: Partial<OutcomeEntry> = {}): OutcomeEntry {
  return { call, outcome: 'answered', attempts: 1, durationMs: 12, resultBytes: 34, ...fields }
}
