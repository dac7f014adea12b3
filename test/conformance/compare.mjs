// Compares the results through a gateway with those of a direct run of the same fixture.

/**
 * Scenarios that cannot be the same over stdio, with the reason: the suite triggers them by a tool that closes its
 * own HTTP stream, and a server without HTTP has none.
 */
const EXCUSED_ON_STDIO = new Map([
  ['server-sse-polling', 'closes an HTTP stream, which a stdio server has not'],
])

/** The minimum that the fixture must reach directly; with less, the comparison would prove too little. */
const FLOORS = new Map([
  ['2025-11-25', { scenarios: 33, checks: 84 }],
  ['2026-07-28', { scenarios: 40, checks: 152 }],
])

export function compareServer(direct, through, leg) {
  return direct.map(wanted => {
    const { name } = wanted
    const got = through.find(scenario => scenario.name === name)
    const excuse = leg === 'stdio' ? EXCUSED_ON_STDIO.get(name) : undefined
    const isKept = got !== undefined && got.passed >= wanted.passed && got.failed <= wanted.failed
    return {
      name,
      direct: wanted.passed,
      through: got?.passed ?? 0,
      ok: isKept || excuse !== undefined,
      excuse,
      got,
    }
  })
}

/**
 * The counts of client scenarios depend on the traffic (one check for each request), so the failed ids are compared,
 * and the skipped share: a check of something that a client does not declare is skipped and would count as passed.
 */
export function compareClient(direct, through) {
  return direct.map(wanted => {
    const { name } = wanted
    const got = through.find(scenario => scenario.name === name)
    const before = new Set(listFailedIds(wanted))
    const lost = listFailedIds(got).filter(id => !before.has(id))
    const isTested =
      got !== undefined && got.skipped <= wanted.skipped && (got.passed > 0 || wanted.passed === 0)
    const ok = isTested && lost.length === 0
    return { name, direct: wanted.passed, through: got?.passed ?? 0, ok, got }
  })
}

function listFailedIds(scenario) {
  return (scenario?.failures ?? []).filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
}

/** Problems of the direct run itself. */
export function checkFloor(direct, revision) {
  const floor = FLOORS.get(revision)
  const scenarios = direct.filter(({ passed, failed }) => passed > 0 && failed === 0).length
  const checks = direct.reduce((sum, { passed }) => sum + passed, 0)
  if (floor === undefined || (scenarios >= floor.scenarios && checks >= floor.checks)) return []
  return [
    `${revision}: the fixture itself passes ${scenarios} scenarios / ${checks} checks, ` +
      `below ${floor.scenarios} / ${floor.checks}`,
  ]
}
