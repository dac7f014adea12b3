import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { modernNode } from '../support/peers.ts'
import { address, run } from '../support/processes.ts'

const SERVER = fileURLToPath(
  new URL('../../packages/toolkit/src/test-support/conformance-server.mjs', import.meta.url),
)

/** What a toolkit does not offer: asking a client's model or for its roots, completions, subscriptions, resumed streams. */
const NOT_OFFERED = [
  'completion-complete',
  'resources-subscribe',
  'resources-unsubscribe',
  'server-sse-polling',
  'tools-call-sampling',
  'elicitation-sep1330-enums',
  'input-required-result-basic-list-roots',
  'input-required-result-basic-sampling',
  'input-required-result-capability-check',
  'input-required-result-multiple-input-requests',
  'input-required-result-non-tool-request',
  // These two give a question a name of their own; a toolkit names its questions itself.
  'input-required-result-basic-elicitation',
  'input-required-result-ignore-extra-params',
]

interface Scenario {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly failures: readonly { readonly status: string; readonly message: string }[]
}

type RunSuite = (url: string, revision: string) => Promise<readonly Scenario[]>

let url = ''
let runServerSuite: RunSuite
beforeAll(async () => {
  modernNode()
  const suite = new URL('../conformance/run-suite.mjs', import.meta.url).href
  const loaded = (await import(suite)) as { runServerSuite: RunSuite }
  runServerSuite = loaded.runServerSuite
  url = await address(run(process.execPath, [SERVER, '--http', '--port', '0']))
})
afterAll(cleanUp)

describe('a toolkit, before the official conformance suite', () => {
  it.each([
    ['2025-11-25', 27],
    ['2026-07-28', 32],
  ])('does everything of %s that it offers', async (revision, scenarios) => {
    const run = (await runServerSuite(url, revision)).filter(({ name }) => !NOT_OFFERED.includes(name))
    // Diagnostic tools that the suite asks for count as failures where a server does not have them.
    const failures = run.flatMap(({ name, failures }) => failures.map(found => ({ name, ...found })))
    const real = failures.filter(
      ({ status, message }) => status === 'FAILURE' && !/^not testable/i.test(message),
    )
    expect(real).toEqual([])
    expect(run.filter(({ passed }) => passed > 0)).toHaveLength(scenarios)
  })
})
