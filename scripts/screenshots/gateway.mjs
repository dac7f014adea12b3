// The gateway for the screenshots, with its own folder, config, process and clock.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SERVERS } from './servers.mjs'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
const DEMO_SERVER = fileURLToPath(new URL('./demo-server.mjs', import.meta.url))
const CLOCK = fileURLToPath(new URL('./clock.mjs', import.meta.url))

const POLICY = `rules:
  - id: release-bot-stays-in-its-repository
    effect: deny
    agents: [release-bot]
    servers: [github]
    when: args.repo != "acme/shop"
    reason: The release bot works on acme/shop only.

  - id: ask-before-merging
    effect: confirm
    tools: [github:merge_pull_request]
    reason: A person looks at every merge.

  - id: no-exports
    effect: deny
    tools: [crm:export_contacts]
    reason: Customer lists must not leave the company.
`

export class StoryGateway {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-story-'))
  #clock = join(this.folder, 'clock')
  #config = join(this.folder, 'hintgate.json')
  #child

  constructor({ servers = Object.keys(SERVERS) } = {}) {
    for (const name of ['policies', 'servers']) mkdirSync(join(this.folder, name))
    writeFileSync(join(this.folder, 'policies/house.yaml'), POLICY)
    const entry = name => {
      // A relative path, so that the images are the same on every machine.
      const file = `servers/${name}.mjs`
      writeFileSync(
        join(this.folder, file),
        `process.argv.push('${name}', '${this.versionFile(name)}')\nawait import('${DEMO_SERVER}')\n`,
      )
      return { command: 'node', args: [file], cwd: '.', trust: name === 'translate' ? 'reviewed' : 'trusted' }
    }
    const mcpServers = Object.fromEntries(servers.map(name => [name, entry(name)]))
    if (servers.length > 0) mcpServers.weather = { command: 'weather-mcp', args: ['--units', 'metric'] }
    const rest = {
      policies: ['policies/*.yaml'],
      guardrails: [{ rule: 'allow_domains', field: 'to', domains: ['acme.example'] }],
    }
    writeFileSync(this.#config, JSON.stringify({ mcpServers, ...rest }, undefined, 2))
  }

  versionFile(name) {
    return join(this.folder, `${name}.version`)
  }

  /** Sets the offset of the gateway's clock from ours. */
  setClock(ms) {
    writeFileSync(this.#clock, String(Math.round(ms)))
  }

  run(...args) {
    const place = ['--config', this.#config, '--home', join(this.folder, 'home')]
    const options = {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: this.#env,
    }
    return execFileSync(process.execPath, [BIN, ...args, ...place], options)
  }

  get #env() {
    const { NODE_OPTIONS = '' } = process.env
    return {
      ...process.env,
      HINTGATE_STORY_CLOCK: this.#clock,
      NODE_OPTIONS: `${NODE_OPTIONS} --import ${CLOCK}`,
    }
  }

  /** Starts the gateway. Returns its address and the sign-in link. */
  async start() {
    const place = ['--config', this.#config, '--home', join(this.folder, 'home'), '--listen', '127.0.0.1:0']
    this.#child = spawn(process.execPath, [BIN, 'serve', '--print-link', ...place], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    // Stops the gateway even if a screenshot fails.
    process.once('exit', () => this.#child.kill())
    const said = {}
    for await (const line of createInterface({ input: this.#child.stdout })) {
      const [word, rest] = line.split(' ')
      said[word] = rest
      if (said.listening !== undefined && said.console !== undefined)
        return { url: said.listening, link: said.console }
    }
    throw new Error('the gateway did not start')
  }

  async stop() {
    const ended = new Promise(resolve => this.#child.once('exit', resolve))
    this.#child.kill()
    await ended
    rmSync(this.folder, { recursive: true, force: true })
  }
}
