// `npm run conformance`: the official MCP suite, directly and through the gateway.
import { parseArgs } from 'node:util'
import { findModernNode } from '../peers/ready.mjs'
import { checkFloor, compareClient, compareServer } from './compare.mjs'
import {
  openDirect,
  openElsewhere,
  openStandIn,
  openStripped,
  openThroughHttp,
  openThroughStdio,
} from './paths.mjs'
import { describeFailures, describeRevision } from './report.mjs'
import { runClientSuite, runServerSuite } from './run-suite.mjs'
import { testTasks } from './tasks.mjs'

const USAGE = `Usage: npm run conformance -- [options]

  --revision REV        2025-11-25 or 2026-07-28; both without it. May be repeated
  --leg LEG             http, stdio, client, control or tasks; all without it. May be repeated
  --only PATTERN        only scenarios whose name matches this regular expression
  --skip PREFIX         no client scenario whose name begins like this
  --gateway-url URL     run the http leg through this URL, with the fixture already behind it
  --token TOKEN         … with this bearer token
  --stand-in            a proxy that only passes on takes the gateway's place: tests this harness
  --negative-control    a proxy that strips fields takes the gateway's place: must exit with 1
  --json                one JSON object instead of tables

Exit code: 0 = nothing is lost, 1 = something is, 2 = it could not run.`

const REVISIONS = ['2025-11-25', '2026-07-28']
const LEGS = ['http', 'stdio', 'client', 'control', 'tasks']
// Words without quotes: the suite splits the command at spaces and appends the URL of its mock server.
const DIRECT_CLIENT = 'node test/peers/dist/client/main.js'
const CLIENT_THROUGH = 'node test/conformance/client-through-gateway.mjs'

export async function main(argv) {
  const options = readOptions(argv)
  if (options.help) return print(USAGE)
  if (findModernNode() === undefined) return skip(options)
  const report = { server: {}, client: {}, complaints: [] }
  for (const revision of options.revisions) {
    await testServers(revision, options, report)
    await testClients(revision, options, report)
  }
  await testExtension(options, report)
  if (options.json) print(JSON.stringify(report, undefined, 2))
  else print(summarise(report))
  return report.complaints.length === 0 ? 0 : 1
}

function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      revision: { type: 'string', multiple: true, default: REVISIONS },
      leg: { type: 'string', multiple: true },
      only: { type: 'string' },
      skip: { type: 'string' },
      'gateway-url': { type: 'string' },
      token: { type: 'string' },
      'stand-in': { type: 'boolean', default: false },
      'negative-control': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const legs = values.leg ?? LEGS
  refuseUnknown('--revision', values.revision, REVISIONS)
  refuseUnknown('--leg', legs, LEGS)
  return {
    ...values,
    revisions: values.revision,
    legs,
    only: values.only === undefined ? undefined : new RegExp(values.only),
  }
}

function refuseUnknown(option, given, known) {
  const wrong = given.find(value => !known.includes(value))
  if (wrong !== undefined) throw new Error(`${option} is one of ${known.join(', ')}, not "${wrong}"`)
}

/** The connections to the fixture that this run compares with the direct one. */
function choosePaths(options) {
  const { 'gateway-url': url, token, 'stand-in': standIn, 'negative-control': stripped } = options
  if (stripped) return new Map([['http', openStripped]])
  if (url !== undefined) return new Map([['http', () => openElsewhere(url, token)]])
  if (standIn)
    return new Map([
      ['http', openStandIn],
      ['control', openStripped],
    ])
  return new Map([
    ['http', openThroughHttp],
    ['stdio', openThroughStdio],
    ['control', openStripped],
  ])
}

async function testServers(revision, options, report) {
  const paths = [...choosePaths(options)].filter(([leg]) => options.legs.includes(leg))
  if (paths.length === 0) return
  const direct = await runAlong(openDirect, url => runServerSuite(url, revision, options.only))
  if (options.only === undefined) report.complaints.push(...checkFloor(direct, revision))
  const legs = new Map()
  for (const [leg, open] of paths) {
    const era = revision >= '2026' ? 'modern' : 'legacy'
    const through = await tryAlong(
      () => open(era),
      url => runServerSuite(url, revision, options.only),
      `${revision} ${leg}`,
      report,
    )
    const rows = compareServer(direct, through, leg)
    if (leg === 'control') report.complaints.push(...judgeControl(rows, revision, options))
    else report.complaints.push(...describeFailures(`${revision} ${leg}`, rows))
    legs.set(leg, rows)
  }
  report.server[revision] = { direct, legs: Object.fromEntries(legs) }
  if (!options.json) print(`${describeRevision(`server ${revision}`, direct, legs)}\n`)
}

/** If only some scenarios are selected, the control may have nothing to lose. */
function judgeControl(rows, revision, { only }) {
  if (only !== undefined || rows.some(row => !row.ok)) return []
  return [`${revision}: the negative control lost nothing, so this comparison notices nothing`]
}

async function testClients(revision, options, report) {
  const isElsewhere = options['gateway-url'] !== undefined || options['negative-control']
  if (!options.legs.includes('client') || isElsewhere) return
  const select = selectClients(options)
  const direct = await runClientSuite(DIRECT_CLIENT, revision, select)
  const command = options['stand-in'] ? `${CLIENT_THROUGH} --stand-in` : CLIENT_THROUGH
  const rows = compareClient(direct, await runClientSuite(command, revision, select))
  report.complaints.push(...describeFailures(`${revision} client`, rows))
  report.client[revision] = { direct, rows }
  if (!options.json)
    print(`${describeRevision(`client ${revision}`, direct, new Map([['through', rows]]))}\n`)
}

/** The Tasks extension, which belongs to the newest revision and which the suite's fixture does not have. */
async function testExtension(options, report) {
  const isElsewhere = ['gateway-url', 'negative-control', 'stand-in'].some(one => Boolean(options[one]))
  const isWanted = options.legs.includes('tasks') && options.revisions.includes(REVISIONS.at(-1))
  if (!isWanted || isElsewhere) return
  const { direct, rows, complaints } = await testTasks(options.only)
  report.complaints.push(...complaints, ...describeFailures('tasks', rows))
  report.tasks = { direct, rows }
  if (!options.json) print(`${describeRevision('tasks', direct, new Map([['http', rows]]))}\n`)
}

function selectClients({ only, skip }) {
  if (skip === undefined) return only
  return { test: name => !name.startsWith(skip) && (only === undefined || only.test(name)) }
}

async function runAlong(open, work) {
  const path = await open()
  try {
    return await work(path.url)
  } finally {
    await path.stop()
  }
}

/** A gateway that does not start is a result (nothing passes), and must not end the run. */
async function tryAlong(open, work, title, report) {
  try {
    return await runAlong(open, work)
  } catch (error) {
    report.complaints.push(`✗ ${title}: ${error.message}`)
    return []
  }
}

function summarise({ complaints }) {
  return complaints.length === 0 ? 'conformance: nothing is lost on the way' : complaints.join('\n')
}

/** A warning on a developer's machine, an error in CI. */
function skip({ json }) {
  const why = 'the conformance suite needs Node 22 or newer, and the registry has none for this platform'
  if (json) print(JSON.stringify({ skipped: why }))
  process.stderr.write(`hintgate: SKIPPED: ${why}\n`)
  return process.env.CI === undefined ? 0 : 2
}

function print(text) {
  process.stdout.write(`${text}\n`)
  return 0
}
