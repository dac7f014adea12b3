// Runs the official conformance suite with the Node version that it needs.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findModernNode, peerFile } from '../peers/ready.mjs'
import { readScenarios } from './read-checks.mjs'
import { readRequirements } from './requirements.mjs'

// The suite's dispatcher starts all client scenarios at once; a gateway and a client for each are too much for two
// cores.
const CLIENTS_AT_ONCE = 2
const TIMEOUT_MS = '60000'

/** Every server scenario of the revision that is not an extension. */
export async function runServerSuite(url, revision, only) {
  const names = listScenarios(revision, 'server', only)
  return collect('server', async output => {
    const selections = only === undefined ? [['--requirements', revision]] : names.map(selectOne(revision))
    let said = ''
    for (const selection of selections) said += await runSuite(['server', '--url', url, ...selection], output)
    return said
  }).then(scenarios => scenarios.filter(({ name }) => names.includes(name)))
}

/** The suite splits `command` at spaces and appends the URL of its mock server. */
export async function runClientSuite(command, revision, only) {
  const waiting = listScenarios(revision, 'client', only)
  return collect('client', async output => {
    let said = ''
    const work = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        said += await runSuite(['client', '--command', command, ...selectOne(revision)(name)], output)
    }
    await Promise.all(Array.from({ length: CLIENTS_AT_ONCE }, work))
    return said
  })
}

/** Server scenarios of an extension, which the suite does not score. */
export async function runScenarios(url, revision, only) {
  const names = [...readRequirements(revision, 'server').keys()].filter(name => only.test(name))
  return collect('server', async output => {
    let said = ''
    // Extensions do not belong to a revision, so the suite runs them only by force.
    for (const name of names)
      said += await runSuite(['server', '--url', url, '--force', ...selectOne(revision)(name)], output)
    return said
  })
}

export function listScenarios(revision, role, only) {
  const scenarios = [...readRequirements(revision, role)].filter(([, scored]) => scored !== 'extension')
  return scenarios.map(([name]) => name).filter(name => only === undefined || only.test(name))
}

function selectOne(revision) {
  return name => ['--scenario', name, '--spec-version', revision]
}

async function collect(role, produce) {
  const output = mkdtempSync(join(tmpdir(), 'hintgate-conformance-'))
  try {
    const said = await produce(output)
    const scenarios = readScenarios(output, role)
    if (scenarios.length === 0) throw new Error(`the conformance suite wrote no results. It said:\n${said}`)
    return scenarios
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

function runSuite(args, output) {
  const program = peerFile('@modelcontextprotocol/conformance/dist/index.js')
  return new Promise((resolve, reject) => {
    const child = spawn(findModernNode(), [program, ...args, '-o', output, '--timeout', TIMEOUT_MS], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const stop = () => child.kill('SIGKILL')
    process.once('exit', stop)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        said += chunk
      })
    child.on('error', reject)
    child.on('close', () => {
      process.off('exit', stop)
      resolve(said)
    })
  })
}
