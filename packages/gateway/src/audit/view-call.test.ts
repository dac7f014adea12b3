import { describe, expect, it } from 'vitest'
import { parseJson } from '../protocol/parse-json.ts'
import { type AuditContent, ShapedRow } from '../store/audit-log/shape.ts'
import type { IntentEntry } from './entry.ts'
import { hasSeverity } from './severity.ts'
import { exampleEnding, exampleEntry, READS, WRITES } from './test-support/example-entry.ts'
import { toOcsf } from './to-ocsf.ts'
import { viewCall } from './view-call.ts'
import { writeIntent, writeOutcome } from './write-row.ts'

const asIs = (text: string) => text
const place = (content: AuditContent, seq: number): ShapedRow =>
  new ShapedRow(content, { writer: 1, seq, prev: `h${seq - 1}`, hash: `h${seq}` })
const forwarded = (fields: Partial<IntentEntry> = {}, ending = {}) => {
  const entry = exampleEntry('r1', fields)
  return {
    intent: place(writeIntent(entry, asIs), 1),
    ending: place(writeOutcome(exampleEnding(entry, ending), asIs, { hasIntent: true }), 2),
  }
}

describe('a call in the view for readers', () => {
  it('shows every digit of long numbers, even in its sentence', () => {
    const parsed = parseJson('{"name":12345678901234567890}', 10)
    const known = { ...WRITES, action: 'Renamed a contact to {name}' }
    const viewed = viewCall(forwarded({ known, arguments: parsed.ok ? parsed.value : undefined }))
    expect(viewed?.action).toBe('Renamed a contact to 12345678901234567890')
  })

  it('combines the content of both rows', () => {
    const known = { ...WRITES, action: 'Renamed a contact to {name}' }
    expect(viewCall(forwarded({ known, approval: 'ap_1' }, { code: 'x' }))).toEqual({
      request: 'r1',
      time: '1970-01-01T00:00:01.000Z',
      severity: 'notice',
      agent: 'agent:bot',
      action: 'Renamed a contact to Ada',
      server: 'crm',
      tool: 'update',
      variant: 'write',
      verdict: 'allow',
      outcome: 'answered',
      code: 'x',
      session: 'session-1',
      door: 'search',
      fingerprint: 'f'.repeat(64),
      approval: 'ap_1',
      argsBytes: 14,
      attempts: 1,
      ms: 12,
      resultBytes: 34,
      hints: {
        readOnly: { value: false, source: 'default' },
        destructive: { value: true, source: 'declared' },
      },
      args: { name: 'Ada' },
      rows: [
        { writer: 1, seq: 1, hash: 'h1' },
        { writer: 1, seq: 2, hash: 'h2' },
      ],
    })
  })

  it('without an outcome is open', () => {
    const { intent } = forwarded()
    expect(viewCall({ intent })).toMatchObject({ outcome: 'open', action: 'Update contact: Ada' })
    expect(viewCall({})).toBeUndefined()
  })

  it.each([
    ['call_tool_read', 'info', 1, 2],
    ['call_tool_write', 'notice', 2, 3],
    ['call_tool_destructive', 'warning', 3, 4],
  ] as const)('of %s has the severity %s', (variant, severity, severityId, activityId) => {
    const call = viewCall(forwarded({ known: { ...READS, variant } }))
    expect(call?.severity).toBe(severity)
    expect(call && toOcsf(call, '1')).toMatchObject({
      severity_id: severityId,
      activity_id: activityId,
      type_uid: 600300 + activityId,
    })
  })

  it('of a tool that waits for review is a warning, because what the tool does is not known', () => {
    const entry = exampleEntry('r1', { known: undefined, verdict: 'deny' })
    const ending = { outcome: 'refused', code: 'quarantined' } as const
    const row = place(writeOutcome(exampleEnding(entry, ending), asIs, { hasIntent: false }), 1)
    expect(viewCall({ ending: row })).toMatchObject({
      severity: 'warning',
      action: 'Refused: crm:update: Ada',
    })
    expect(hasSeverity('warning')(row)).toBe(true)
    expect(hasSeverity('info')(row)).toBe(false)
  })

  it("of one of the gateway's own tools has the plain name of the tool", () => {
    const entry = exampleEntry('r1', { known: undefined, server: '', tool: 'describe_tool' })
    const ending = { outcome: 'refused', code: 'unknown_tool' } as const
    const row = place(writeOutcome(exampleEnding(entry, ending), asIs, { hasIntent: false }), 1)
    expect(viewCall({ ending: row })).toMatchObject({ action: 'Refused: describe_tool: Ada' })
  })

  it('is shown even after tampering', () => {
    const { content } = forwarded().intent
    const shape = { ...content.shape, head: 'no json', variant: '?' }
    const tampered = place({ ...content, shape }, 1)
    expect(viewCall({ intent: tampered })).toMatchObject({
      request: 'r1',
      severity: 'info',
      action: 'crm:update',
    })
  })

  it('is an event of the class API Activity', () => {
    const call = viewCall(forwarded({}, { outcome: 'failed', code: 'upstream_timeout', detail: 'slow' }))
    expect(call && toOcsf(call, '9.9.9')).toMatchObject({
      category_uid: 6,
      class_uid: 6003,
      time: 1000,
      start_time: 1000,
      end_time: 1012,
      duration: 12,
      status_id: 2,
      status_code: 'upstream_timeout',
      status_detail: 'slow',
      message: 'Update contact: Ada',
      metadata: { version: '1.6.0', product: { name: 'Hintgate', version: '9.9.9' }, uid: 'r1' },
      actor: { user: { uid: 'agent:bot', name: 'bot' }, session: { uid: 'session-1' } },
      api: {
        operation: 'update',
        service: { name: 'crm' },
        request: { uid: 'r1' },
        response: { error: 'upstream_timeout' },
      },
      src_endpoint: { name: 'search' },
      unmapped: { verdict: 'allow', args: { name: 'Ada' } },
    })
  })

  it.each([
    ['answered', 1],
    ['tool_error', 2],
    ['refused', 2],
    ['unknown', 0],
    ['cancelled', 99],
  ])('that ended as %s has the status %i', (outcome, status) => {
    const call = viewCall(forwarded({}, { outcome }))
    expect(call && toOcsf(call, '1')).toMatchObject({ status_id: status })
  })
})
