// `npm run lock`: recreates package-lock.json in an empty folder. Next to an existing node_modules, npm would leave out
// packages for other platforms, and `npm ci` would fail there.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, say } from './ready.mjs'

const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'hintgate-lock-'))
try {
  const files = ['package.json', '.npmrc', ...workspaces.map(path => `${path}/package.json`)]
  for (const file of files) cpSync(join(ROOT, file), join(folder, file))
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  })
  // npm silently leaves out an optional package that the registry does not have. This dry run fails then.
  execFileSync('npm', ['ci', '--dry-run', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (/"resolved": "https?:/.test(lockfile)) throw new Error('the lockfile names a registry: see .npmrc')
  writeFileSync(join(ROOT, 'package-lock.json'), lockfile)
  say('wrote package-lock.json')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
