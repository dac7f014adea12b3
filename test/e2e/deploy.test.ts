import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import { cleanUp, later } from '../support/clean-up.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { address, type Running, run } from '../support/processes.ts'
import { send } from '../support/raw-mcp.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DEPLOY = join(ROOT, 'deploy')
const BIN = join(ROOT, 'packages/gateway/bin/hintgate.js')
const CONFIG = readFileSync(join(DEPLOY, 'hintgate.json'), 'utf8')
const PROBE_TOKEN = 'kX3fq1ZbW8sLr0PyTn5VuGh2JcEo7MaD9iQw4RtB'
const KEY = 'b5kQ0u3G8rVn1xTzPq7yWmEoJd4hLsAcRf2iUg9KtZ8='

afterAll(cleanUp)

type Tree = { readonly [key: string]: unknown }

/** The value at a path of keys and numbers; undefined if there is none. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((here, key) => (here as Tree | undefined)?.[key], value)
}

/**
 * The environment variables that the product reads, found in its sources, and those that the config of deploy/ names.
 */
function knownVariables(): ReadonlySet<string> {
  const folder = join(ROOT, 'packages/gateway/src')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const text = sources.map(name => readFileSync(join(folder, name), 'utf8')).join('\n')
  const probe = readFileSync(join(DEPLOY, 'probe.mjs'), 'utf8')
  const own = `${text}${probe}`.match(/\bHINTGATE_[A-Z_]+\b/g) ?? []
  const asked = [...CONFIG.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => name)
  // `pg` and Node read the first two themselves; the last is only used inside another variable.
  return new Set([...own, ...asked, 'PGPASSWORD', 'NODE_ENV', 'POD_IP'])
}

describe('the compose file', () => {
  const compose = parseYaml(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }) as Tree
  const services = compose.services as Record<string, Tree>
  const gateways = Object.keys(services).filter(name => name.startsWith('gateway'))

  it('has two replicas that differ only in their address', () => {
    expect(gateways).toEqual(['gateway-1', 'gateway-2'])
    const advertised = gateways.map(name => at(services[name], 'environment', 'HINTGATE_ADVERTISE'))
    expect(advertised).toEqual(gateways.map(name => `http://${name}:4428`))
    const [one, two] = gateways.map(name => {
      const { environment, ...rest } = services[name] ?? {}
      return { ...rest, environment: { ...(environment as Tree), HINTGATE_ADVERTISE: '' } }
    })
    expect(one).toEqual(two)
  })

  it('gives them no unnecessary privileges', () => {
    for (const name of gateways)
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
  })

  it('sets only variables that the gateway reads, and requires every secret', () => {
    const known = knownVariables()
    const set = gateways.flatMap(name => Object.keys(services[name]?.environment as Tree))
    expect(set.filter(name => !known.has(name))).toEqual([])
    const example = readFileSync(join(DEPLOY, 'compose.env.example'), 'utf8')
    const asked = [...readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8').matchAll(/\$\{(\w+):/g)]
    expect(asked.filter(([, name = '']) => !example.includes(`${name}=`))).toEqual([])
  })

  it('mounts only existing files, and balances over its own replicas', () => {
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes as string[])
      .filter(volume => volume.startsWith('./'))
      .map(volume => volume.split(':')[0] ?? '')
    expect(mounted).toContain('./Caddyfile')
    expect(mounted.filter(file => !existsSync(join(DEPLOY, file)))).toEqual([])
    const caddy = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8')
    expect(caddy).toContain(`reverse_proxy ${gateways.map(name => `${name}:4428`).join(' ')} {`)
    for (const name of ['gateway-1', 'gateway-2'])
      expect(at(services[name], 'build')).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile' })
  })
})

describe('the Kubernetes manifests', () => {
  const folder = join(DEPLOY, 'kubernetes')
  const documents = readdirSync(folder)
    .filter(name => name !== 'kustomization.yaml')
    .flatMap(name => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map(document => {
      expect(document.errors).toEqual([])
      return document.toJS() as Tree
    })
  const find = (kind: string): Tree => documents.find(document => document.kind === kind) ?? {}
  const deployment = find('Deployment')
  const container = at(deployment, 'spec', 'template', 'spec', 'containers', 0) as Tree
  const env = container.env as { name: string; value?: string; valueFrom?: Tree }[]

  it('are all applied except the secret', () => {
    const { resources } = parseYaml(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
      resources: string[]
    }
    const files = readdirSync(folder).filter(
      name => !['kustomization.yaml', 'secret.example.yaml'].includes(name),
    )
    expect(resources.toSorted()).toEqual(files.toSorted())
  })

  it('contain the config from deploy/', () => {
    expect(at(find('ConfigMap'), 'data', 'hintgate.json')).toBe(CONFIG)
  })

  it('connect services and pods by matching labels', () => {
    const labels = at(deployment, 'spec', 'template', 'metadata', 'labels')
    expect(labels).toEqual({ 'app.kubernetes.io/name': 'hintgate' })
    expect(at(deployment, 'spec', 'selector', 'matchLabels')).toEqual(labels)
    expect(at(find('Service'), 'spec', 'selector')).toEqual(labels)
    expect(at(find('PodDisruptionBudget'), 'spec', 'selector', 'matchLabels')).toEqual(labels)
    expect(at(find('NetworkPolicy'), 'spec', 'podSelector', 'matchLabels')).toEqual(labels)
  })

  it('keep one of two replicas during a drain', () => {
    expect(at(deployment, 'spec', 'replicas')).toBe(2)
    expect(at(find('PodDisruptionBudget'), 'spec', 'minAvailable')).toBe(1)
    expect(at(find('Service'), 'spec', 'sessionAffinity')).toBe('None')
  })

  it('set only variables that the gateway reads, and secrets that the template has', () => {
    const known = knownVariables()
    expect(env.map(({ name }) => name).filter(name => !known.has(name))).toEqual([])
    const keys = env
      .map(({ valueFrom }) => at(valueFrom, 'secretKeyRef', 'key'))
      .filter(key => key !== undefined)
    expect(keys.toSorted()).toEqual(Object.keys(find('Secret').stringData as Tree).toSorted())
  })

  it('give the gateway no unnecessary privileges', () => {
    expect(at(deployment, 'spec', 'template', 'spec', 'securityContext')).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(at(deployment, 'spec', 'template', 'spec', 'automountServiceAccountToken')).toBe(false)
    const { resources, volumeMounts } = container as {
      resources: Tree
      volumeMounts: { mountPath: string }[]
    }
    expect(at(resources, 'limits', 'memory')).toBeDefined()
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
      '/etc/hintgate',
      '/var/lib/hintgate',
      '/tmp',
    ])
  })

  it('probe the gateway at its health and readiness paths', () => {
    for (const name of ['startupProbe', 'livenessProbe'])
      expect(at(container, name, 'httpGet')).toMatchObject({
        path: '/healthz',
        httpHeaders: [{ name: 'Host', value: 'localhost' }],
      })
    expect(at(container, 'readinessProbe', 'exec', 'command')).toEqual([
      'node',
      'deploy/probe.mjs',
      '/readyz',
    ])
  })
})

describe.skipIf(!hasPostgres())('two replicas started as in deploy/', () => {
  const replicas: Running[] = []
  const urls: string[] = []
  let folder: string

  // As in the manifests, except for the addresses of the database and of the port.
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-deploy-'))
    later(() => rmSync(folder, { recursive: true, force: true }))
    const { url } = await openDatabase()
    const manifest = parseYaml(readFileSync(join(DEPLOY, 'kubernetes/deployment.yaml'), 'utf8')) as Tree
    const args = at(manifest, 'spec', 'template', 'spec', 'containers', 0, 'args') as string[]
    const config = join(folder, 'hintgate.json')
    writeFileSync(config, CONFIG)
    const places: Record<string, string> = {
      '/etc/hintgate/hintgate.json': config,
      '/var/lib/hintgate': join(folder, 'home'),
    }
    for (const name of ['gateway-1', 'gateway-2']) {
      const env = {
        HINTGATE_STORE: url,
        HINTGATE_HOST: 'mcp.example',
        HINTGATE_PROBE_TOKEN: PROBE_TOKEN,
        HINTGATE_SECRET_KEY: KEY,
        HINTGATE_ADVERTISE: `http://${name}:4428`,
      }
      const words = [...args.map(word => places[word] ?? word), '--listen', '127.0.0.1:0']
      const replica = run(process.execPath, [BIN, ...words], { env, cwd: folder })
      replicas.push(replica)
      urls.push(await address(replica))
    }
  })

  const ask = async (url: string, path: string, host: string, token?: string): Promise<number> => {
    const headers = { host, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    return (await send(`${url}${path}`, { method: 'GET', headers })).status
  }

  it('are healthy under the names of the balancer, the probe, and each other', async () => {
    for (const [index, url] of urls.entries())
      for (const host of ['mcp.example', 'localhost', `gateway-${index + 1}:4428`])
        expect([host, await ask(url, '/healthz', host)]).toEqual([host, 200])
    expect(await ask(urls[0] ?? '', '/healthz', 'elsewhere.example')).toBe(403)
  })

  it('are ready for the probe, whose token has no other permission', async () => {
    for (const url of urls) {
      expect(await ask(url, '/readyz', 'localhost', PROBE_TOKEN)).toBe(200)
      expect(await ask(url, '/readyz', 'localhost')).toBe(401)
      expect(await ask(url, '/metrics', 'localhost', PROBE_TOKEN)).toBe(403)
    }
  })

  it('do not write into their folder, so it can be read-only', () => {
    expect(existsSync(join(folder, 'home')) ? readdirSync(join(folder, 'home')) : []).toEqual([])
  })

  it('stop within the grace period', async () => {
    const start = performance.now()
    for (const replica of replicas) expect(await replica.stop()).toBe(0)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('the systemd unit', () => {
  const file = join(DEPLOY, 'systemd/hintgate.service')
  const unit = readFileSync(file, 'utf8')
  const settingOf = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]

  it('starts an existing program with known flags', async () => {
    const words = settingOf('ExecStart')?.split(' ') ?? []
    expect(words[0]).toBe('/usr/bin/node')
    expect(existsSync(join(ROOT, words[1]?.replace('/opt/hintgate/', '') ?? ''))).toBe(true)
    const folder = mkdtempSync(join(tmpdir(), 'hintgate-unit-'))
    later(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'hintgate.json'), '{}')
    const args = words
      .slice(2)
      .map(word => word.replace('/etc/hintgate', folder).replace('/var/lib/hintgate', join(folder, 'home')))
    const gateway = run(process.execPath, [BIN, ...args, '--listen', '127.0.0.1:0'], { cwd: folder })
    expect((await send(`${await address(gateway)}/healthz`, { method: 'GET' })).status).toBe(200)
    // The command in ExecReload must not end the process.
    gateway.child.kill('SIGHUP')
    await gateway.stderr.until(line => line.includes('reloaded the configuration'))
    expect(await gateway.stop()).toBe(0)
  })

  it('is valid for systemd and restricts the gateway', () => {
    const tool = 'systemd-analyze'
    const has = (() => {
      try {
        return execFileSync(tool, ['--version'], { stdio: 'pipe' }).length > 0
      } catch {
        return false
      }
    })()
    for (const key of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'DynamicUser', 'LockPersonality'])
      expect([key, settingOf(key)]).toEqual([key, 'yes'])
    expect([settingOf('ProtectSystem'), settingOf('CapabilityBoundingSet')]).toEqual(['strict', ''])
    if (!has) return
    // Uses existing programs, so that the test does not depend on this machine.
    const folder = mkdtempSync(join(tmpdir(), 'hintgate-unit-'))
    later(() => rmSync(folder, { recursive: true, force: true }))
    const copy = join(folder, 'hintgate.service')
    writeFileSync(
      copy,
      unit.replaceAll('/usr/bin/node', process.execPath).replace(/^Documentation=.*\n/m, ''),
    )
    expect(execFileSync(tool, ['verify', '--man=no', copy], { stdio: 'pipe', encoding: 'utf8' })).toBe('')
    const score = execFileSync(tool, ['security', '--offline=yes', '--no-pager', copy], { encoding: 'utf8' })
    expect(Number(/exposure level[^:]*: ([\d.]+)/.exec(score)?.[1])).toBeLessThan(3)
  })
})
