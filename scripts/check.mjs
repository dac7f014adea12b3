// `npm run check`: types, format, lint, boundaries, dead code, generated documents. With `--figures`, it only prints the
// size of the gateway.
import { makeReady, run, say } from './ready.mjs'

await makeReady('everything')

const STEPS = [
  ['types of the tests', 'tsc', ['--project', 'tsconfig.test.json']],
  ['types of the console', 'tsc', ['--project', 'packages/console']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['type-aware lint', 'oxlint', ['--type-aware', '--deny-warnings', '--quiet', 'packages', 'bench']],
  ['boundaries', 'node', ['scripts/boundaries.mjs']],
  ['what the product imports', 'node', ['scripts/product-imports.mjs']],
  ['dead code', 'knip', []],
  ['generated documents', 'node', ['scripts/docs.mjs', '--check']],
]

if (process.argv.includes('--figures')) {
  const { printFigures } = await import('./figures.mjs')
  await printFigures()
} else await checkEverything()

async function checkEverything() {
  for (const [what, program, args] of STEPS) await checkOne(what, program, args)
}

async function checkOne(what, program, args) {
  say(`checking ${what}`)
  await run(
    program,
    args,
    `${what}: see above; run \`npm run format\` and \`npm run docs\` for automatic fixes`,
  )
}
