// The scenarios of a revision, from the suite's own requirement files.
import { readFileSync } from 'node:fs'
import { peerFile } from '../peers/ready.mjs'

/**
 * Name → `required`, or why the revision does not score it: `pending`, `added-after-release`, `extension`. The files
 * use a small, regular part of YAML, so reading them line by line is enough.
 */
export function readRequirements(revision, role) {
  const path = peerFile(`@modelcontextprotocol/conformance/requirements/${revision}.yaml`)
  const scenarios = new Map()
  let section = ''
  let unscored = {}
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    section = /^(\w+):/.exec(line)?.[1] ?? section
    const required = /^ {2}- ([^\s:]+)$/.exec(line)?.[1]
    if (required !== undefined && section === role) scenarios.set(required, 'required')
    const [, key, value] = /^ {2}[- ] (scenario|leg|reason): (\S+)/.exec(line) ?? []
    if (key === 'scenario') unscored = {}
    if (key !== undefined) unscored[key] = value
    if (key === 'reason' && unscored.leg === role) scenarios.set(unscored.scenario, value)
  }
  return scenarios
}
