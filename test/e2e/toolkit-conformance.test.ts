import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { modernNode } from '../support/peers.ts'
import { address, run } from '../support/processes.ts'

const SERVER = fileURLToPath(
  new URL('../../packages/toolkit/src/test-support/conformance-server.mjs', import.meta.url),
)

/** Not supported by the toolkit: sampling, roots, completions, subscriptions, resumed streams. */
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
  // These two choose the key of a question; a toolkit chooses keys itself.
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

describe('a toolkit in the official conformance suite', () => {
  it.each([
    ['2025-11-25', 27],
    ['2026-07-28', 32],
  ])('passes the scenarios of %s that it supports', async (revision, scenarios) => {
    const run = (await runServerSuite(url, revision)).filter(({ name }) => !NOT_OFFERED.includes(name))
    // The suite counts missing diagnostic tools as failures.
    const failures = run.flatMap(({ name, failures }) => failures.map(found => ({ name, ...found })))
    const real = failures.filter(
      ({ status, message }) => status === 'FAILURE' && !/^not testable/i.test(message),
    )
    expect(real).toEqual([])
    expect(run.filter(({ passed }) => passed > 0)).toHaveLength(scenarios)
  })
})
