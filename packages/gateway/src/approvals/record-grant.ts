import type { Recorder } from '../audit/entry.ts'
import type { GrantChange } from './grant.ts'
import { readShown, showMoment } from './shown-request.ts'

/** The surface that the audit log shows for people's answers. */
const DOOR = 'approvals'

/**
 * Records in the audit log that a person granted or revoked a lasting approval. Each call that it covers is recorded
 * with its id as well.
 */
export function recordGrant(
  recorder: Pick<Recorder, 'outcome'>,
  requestId: string,
  change: GrantChange,
): void {
  const { grant, by, via, at } = change
  const shown = readShown(grant.shown)
  void recorder.outcome({
    call: {
      requestId,
      at,
      principal: by,
      session: '',
      door: DOOR,
      server: '',
      tool: `approvals/${change.change}`,
      typed: `approvals/${change.change}`,
      arguments: {
        grant: grant.id,
        agent: grant.principal,
        tool: grant.tool,
        covers: grant.remembers ?? 'arguments',
        rules: shown.reasons.map(({ rule }) => rule),
        until: showMoment(grant.expiresAt),
        via,
      },
      reasons: [],
      approval: grant.id,
    },
    outcome: 'answered',
    attempts: 0,
    durationMs: 0,
  })
}
