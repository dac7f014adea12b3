import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { buildStage, readCopy, readDockerfile, readWords } from '../support/dockerfile.ts'
import { address, run } from '../support/processes.ts'

/** Runs only on request, because installing and building everything again takes a minute or two. */
const isBuilt = process.env.HINTGATE_IMAGE !== undefined

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const stages = readDockerfile(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'))
const last = stages.at(-1) ?? { name: '', steps: [] }
const copies = stages.flatMap(({ steps }) => steps.filter(({ name }) => name === 'COPY')).map(readCopy)
const IGNORED = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

/** The forms that the file uses: names at the top, names at any depth, and endings. */
function isIgnored(path: string): boolean {
  return IGNORED.some(pattern => {
    const anywhere = pattern.startsWith('**/') ? pattern.slice(3) : undefined
    if (anywhere === undefined) return path === pattern
    if (anywhere.startsWith('*')) return path.endsWith(anywhere.slice(1))
    return path.split('/').includes(anywhere)
  })
}

const packed = (): readonly string[] => {
  const text = readFileSync(join(ROOT, 'packages/gateway/package.json'), 'utf8')
  return (JSON.parse(text) as { files: string[] }).files.filter(file => !file.startsWith('!'))
}

describe('the container file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-image-'))
  const image = join(folder, 'image')
  /** Without a build, the repository itself replaces the content of the image. */
  const app = isBuilt ? join(image, 'app') : ROOT
  afterAll(cleanUp)

  beforeAll(async () => {
    later(() => rmSync(folder, { recursive: true, force: true }))
    if (isBuilt) {
      const rootOf = (stage: string): string => (stage === '' ? image : join(folder, stage))
      const building = { context: ROOT, isIgnored, rootOf }
      await Promise.all(stages.slice(0, -1).map(stage => buildStage(stage, building)))
      await buildStage(last, building)
    } else {
      process.stderr.write('\nSKIPPED: building what deploy/Dockerfile says; HINTGATE_IMAGE=1 does it\n\n')
      mkdirSync(join(image, 'var/lib/hintgate'), { recursive: true })
      for (const { from, sources, target } of copies)
        if (from === undefined && target.startsWith('/'))
          cpSync(join(ROOT, sources[0] ?? ''), join(image, target))
    }
  })

  it('copies only existing files, and everything that the package needs', () => {
    const own = copies.filter(({ from }) => from === undefined).flatMap(({ sources }) => sources)
    expect(own.filter(source => !existsSync(join(ROOT, source)))).toEqual([])
    const targets = new Set(copies.map(({ target }) => target))
    expect(packed().filter(file => !targets.has(`packages/gateway/${file}`))).toEqual([])
  })

  it.skipIf(!isBuilt)('makes an image without build and test dependencies', () => {
    expect(packed().filter(file => !existsSync(join(app, 'packages/gateway', file)))).toEqual([])
    const installed = readdirSync(join(app, 'node_modules'))
    expect(installed).toContain('pg')
    const tools = ['typescript', 'vitest', '@types', 'vite', 'knip']
    expect(installed.filter(name => tools.includes(name))).toEqual([])
    expect(existsSync(join(app, 'packages/gateway/src'))).toBe(false)
  })

  it('does not run as root', () => {
    const user = last.steps.find(({ name }) => name === 'USER')?.text ?? ''
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })

  it('starts with its own command line and passes its own health check', async () => {
    const inImage = (word: string): string => (word.startsWith('/') ? join(image, word) : word)
    const [, ...args] = [...readWords(last, 'ENTRYPOINT'), ...readWords(last, 'CMD')].map(inImage)
    const env = {
      HINTGATE_STORE: `sqlite:${join(image, 'var/lib/hintgate/hintgate.db')}`,
      HINTGATE_HOST: 'mcp.example',
      HINTGATE_PROBE_TOKEN: 'kX3fq1ZbW8sLr0PyTn5VuGh2JcEo7MaD9iQw4RtB',
    }
    const gateway = run(process.execPath, [...args, '--listen', '127.0.0.1:0'], { cwd: app, env })
    const url = await address(gateway)
    const [, ...probe] = readWords(last, 'HEALTHCHECK')
    const ask = async (path: string): Promise<string> => {
      const asked = run(process.execPath, [probe[0] ?? '', path], {
        cwd: app,
        env: { ...env, HINTGATE_PROBE_URL: url },
      })
      return `${await asked.exited}: ${asked.stdout.items.join()}`
    }
    expect(probe.slice(1)).toEqual(['/healthz'])
    expect(await ask('/healthz')).toBe('0: 200 {"status":"ok"}')
    expect(await ask('/readyz')).toBe('0: 200 {"ready":true}')
    await gateway.stop()
    expect(await ask('/healthz')).toMatch(/^1: /)
  })
})
