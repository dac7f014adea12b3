// `npm run lock`: writes package-lock.json anew, in an empty folder. Run beside an existing node_modules npm
// leaves out what other platforms need, and `npm ci` then fails there.
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
  // An optional package that the registry does not have is left out silently; this finds out.
  execFileSync('npm', ['ci', '--dry-run', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (/"resolved": "https?:/.test(lockfile)) throw new Error('the lockfile names a registry: see .npmrc')
  writeFileSync(join(ROOT, 'package-lock.json'), lockfile)
  say('package-lock.json is new')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
