import type { Desk } from '../catalog/review/desk.ts'
import { explainToolless, findToolless, letSpeak } from '../catalog/review/find-toolless.ts'
import type { DoctorFinding } from './finding.ts'
import type { Probe } from './probe-server.ts'

/** Who has no tools to approve, and waits for something else. */
export function checkToolless(
  desk: Pick<Desk, 'config' | 'known' | 'items'>,
  probes: readonly Probe[],
): readonly DoctorFinding[] {
  const listing = probes.filter(({ failure, tools }) => failure === undefined && tools === 0)
  const found = findToolless(
    desk,
    listing.map(({ server }) => server),
  )
  return found.map(server => ({
    code: 'server_unheard',
    level: 'warning',
    server,
    text: explainToolless(server),
    fix: letSpeak(server),
  }))
}
