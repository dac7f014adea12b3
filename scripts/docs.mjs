// `npm run docs`: writes the documents that are generated from code. `--check` only reports stale documents and missing
// text. `--bench FILE` puts a run of `npm run bench -- --json FILE` on the page about performance.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeConfiguration } from './docs/configuration.mjs'
import { describeErrors } from './docs/errors.mjs'
import { describePerformance, readBench } from './docs/performance.mjs'
import { makeReady, ROOT, say } from './ready.mjs'

await makeReady('product')
const { rules } = await import('./docs/rules.mjs')
const { configJsonSchema } = await import('../packages/gateway/dist/config/schema/schema.js')
const { ERRORS } = await import('../packages/gateway/dist/base/errors.js')
const { PROBLEM_KINDS } = await import('../packages/gateway/dist/admin/http/problem.js')

const BENCH = 'scripts/docs/performance.json'
const isCheck = process.argv.includes('--check')
const read = path => readOrEmpty(join(ROOT, path))
const schema = configJsonSchema()
const bench = process.argv.includes('--bench')
  ? readBench(process.argv[process.argv.indexOf('--bench') + 1])
  : JSON.parse(read(BENCH))
const errors = describeErrors({ errors: ERRORS, problemKinds: PROBLEM_KINDS, read })
const DOCUMENTS = {
  'docs/rules.md': rules,
  [BENCH]: process.argv.includes('--bench') ? `${JSON.stringify(bench, null, 2)}\n` : read(BENCH),
  'docs/performance.md': describePerformance(bench),
  'docs/configuration.md': describeConfiguration(schema),
  'packages/gateway/hintgate.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
  ...errors.documents,
}

for (const [path, content] of Object.entries(DOCUMENTS)) {
  if (isCheck && read(path) !== content) complain(`${path} is stale: run \`npm run docs\` and commit it`)
  if (!isCheck) write(join(ROOT, path), content)
}
for (const fault of [...errors.faults, ...findStrays()]) complain(fault)

/** A page of a removed code would still be found and trusted. */
function findStrays() {
  const known = new Set(Object.keys(DOCUMENTS))
  return readdirSync(join(ROOT, 'docs/errors'))
    .map(name => `docs/errors/${name}`)
    .filter(path => !known.has(path))
    .map(path => `${path} has no error code: remove it`)
}

function complain(what) {
  say(what)
  process.exitCode = 1
}

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
