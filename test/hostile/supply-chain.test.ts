import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

// No dependency gets in without a review.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'hintgate-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Lockfile {
  readonly packages: Record<string, Record<string, unknown>>
}

function runScript(name: string, args: readonly string[]): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', name), ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: status, text: stdout + stderr }
}

/** The lockfile with a change. */
function changed(change: (packages: Lockfile['packages']) => void): string {
  const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile
  change(lockfile.packages)
  const file = join(folder, 'package-lock.json')
  writeFileSync(file, JSON.stringify(lockfile))
  return file
}

const integrity = 'sha512-AAAA'

describe('the dependencies', () => {
  it('are those with a recorded reason and an allowed licence', () => {
    const { code, text } = runScript('licences.mjs', ['--check'])
    expect(text).not.toContain('error:')
    expect(code).toBe(0)
  })

  it.each<[string, string, (packages: Lockfile['packages']) => void]>([
    [
      'one without a reason',
      'left-pad: dependencies.json gives no reason for it',
      packages => {
        packages['node_modules/left-pad'] = { version: '1.0.0', license: 'MIT', integrity }
        Object.assign(packages['packages/gateway']?.dependencies ?? {}, { 'left-pad': '1.0.0' })
      },
    ],
    [
      'one with another licence, at any depth',
      'sly 1.0.0: its licence AGPL-3.0 is not allowed',
      packages => {
        packages['node_modules/a/node_modules/sly'] = { version: '1.0.0', license: 'AGPL-3.0', integrity }
      },
    ],
    [
      'one with an allowed and a forbidden licence together',
      'sly 1.0.0: its licence MIT AND SSPL-1.0 is not allowed',
      packages => {
        packages['node_modules/sly'] = { version: '1.0.0', license: 'MIT AND SSPL-1.0', integrity }
      },
    ],
    [
      'one without a licence',
      'sly 1.0.0: its licence (unknown) is not allowed',
      packages => {
        packages['node_modules/sly'] = { version: '1.0.0', integrity }
      },
    ],
    [
      'one with an install script',
      'sly 1.0.0: it has an install script',
      packages => {
        packages['node_modules/sly'] = { version: '1.0.0', license: 'MIT', integrity, hasInstallScript: true }
      },
    ],
    [
      'one from another source',
      'sly 1.0.0: it does not come from the registry',
      packages => {
        const resolved = 'git+ssh://git@example.com/sly.git'
        packages['node_modules/sly'] = { version: '1.0.0', license: 'MIT', integrity, resolved }
      },
    ],
    [
      'one without an integrity hash',
      'sly 1.0.0: the lockfile has no integrity for it',
      packages => {
        packages['node_modules/sly'] = { version: '1.0.0', license: 'MIT' }
      },
    ],
  ])('are refused: %s', (_what, problem, change) => {
    const { code, text } = runScript('licences.mjs', ['--check', '--lockfile', changed(change)])
    expect(text).toContain(`error: ${problem}`)
    expect(code).toBe(1)
  })
})

describe('the bill of materials', () => {
  it('lists every package of the run time with its hash and licence, and is reproducible', () => {
    const [first, second] = [runScript('sbom.mjs', []), runScript('sbom.mjs', [])]
    expect(first.text).toBe(second.text)
    const bom = JSON.parse(first.text) as {
      readonly bomFormat: string
      readonly components: readonly { name: string; purl: string; hashes: unknown[]; licenses: unknown[] }[]
      readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[]
    }
    expect(bom.bomFormat).toBe('CycloneDX')
    const names = bom.components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['zod', 'undici', 'pg-protocol', '@noble/hashes']))
    expect(names.filter(name => name === 'vitest' || name === 'fast-check')).toEqual([])
    expect(
      bom.components.filter(({ hashes, licenses }) => hashes.length === 0 || licenses.length === 0),
    ).toEqual([])
    const pg = bom.dependencies.find(({ ref }) => /^pkg:npm\/pg@/.test(ref))
    expect(pg?.dependsOn.join(' ')).toContain('pkg:npm/pg-protocol@')
  })
})

describe('the installation', () => {
  it('uses the lockfile and runs no install scripts', () => {
    const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly allowScripts: Record<string, boolean>
    }
    expect(Object.values(allowScripts).filter(isAllowed => isAllowed)).toEqual([])
    expect(readFileSync(join(ROOT, 'scripts/ready.mjs'), 'utf8')).toMatch(/const NPM_CI = \['ci'/)
    const release = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')
    expect(release).toContain('--provenance')
    expect(release).not.toMatch(/npm install|secrets\./)
  })
})
