import { gatherEvidence, type ReviewEvidence } from '../../catalog/review/gather-evidence.ts'
import type { ReviewItem } from '../../catalog/review/review-item.ts'
import type { Table } from './tool-table.ts'

/** What speaks for and against a definition, as the gateway itself would judge it. */
export function weighItem(
  { stored, definition }: ReviewItem,
  { desk, scans, siblings }: Pick<Table, 'desk' | 'scans' | 'siblings'>,
): ReviewEvidence {
  const { server, kind, name } = stored
  const { profile } = desk.config
  const override = desk.overrides.find(server, name, desk.config.overrides)
  return gatherEvidence(definition, {
    kind,
    assess: {
      profile,
      siblings: siblings.get(server) ?? [],
      ...(override === undefined ? {} : { override }),
    },
    scan: scans.contextOf(server),
  })
}
