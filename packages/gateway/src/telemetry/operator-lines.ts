import { showUntrusted } from '@hintgate/metadata'
import type { Catalog } from '../catalog/catalog.ts'
import { LONGEST_NAME } from '../catalog/list-definitions.ts'
import { explainToolless, letSpeak } from '../catalog/review/list-waiting.ts'
import type { Config } from '../config/config.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { Failure } from '../upstream/channel/channel.ts'
import type { Handshake } from '../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { LogFacts } from './log.ts'

/** Config keys that are read only when the gateway starts. */
const NEEDS_RESTART = [
  'listen',
  'advertise',
  'store',
  'limits',
  'allowedHosts',
  'allowedOrigins',
  'behindProxy',
  'tls',
  'drainMs',
  'log',
  'telemetry',
  'search',
] as const

export class OperatorLines {
  readonly #say: (line: string, facts?: LogFacts) => void
  readonly #held = new Map<string, number>()
  readonly #leftOut = new Map<string, number>()
  readonly #unheard = new Set<string>()

  constructor(say: (line: string, facts?: LogFacts) => void) {
    this.#say = say
  }

  readonly fault = (error: unknown, requestId?: string): void =>
    this.#say(`internal error: ${describeFault(error)}`, { level: 'error', requestId })

  /** All tools can now be compared by meaning. */
  readonly compared = (tools: number): void =>
    this.#say(`search compares the meaning of ${tools} ${tools === 1 ? 'tool' : 'tools'}`)

  readonly unjudged = (error: unknown, server: string): void =>
    this.#say(`internal error while checking the tools of ${server}: ${describeFault(error)}`, {
      level: 'error',
      server,
    })

  asked({ id, tool, principal }: StoredApproval): void {
    const [who, what] = [showUntrusted(principal, 300), showUntrusted(tool, 200)]
    this.#say(`${who} wants to call ${what}: run hintgate approvals approve ${id}, or deny`)
  }

  readonly untold = (line: string): void => this.#say(line, { level: 'warn' })

  left(why: string): void {
    this.#say(`disconnecting the client: ${why}`)
  }

  ended(calls: number): void {
    if (calls > 0)
      this.#say(
        `${calls === 1 ? 'one call' : `${calls} calls`} of a stopped gateway recorded with an unknown outcome`,
      )
  }

  ready(server: string, { era, protocolVersion, leftOut = [] }: Handshake): void {
    this.#say(`${server} is ready (${era}, ${protocolVersion})`, { server })
    for (const member of leftOut)
      this.#say(`${server}: \`${member}\` was dropped because it is longer than 256 KB`, {
        level: 'warn',
        server,
      })
  }

  /** Reports that a server is down. The reason can contain text from the server, so it is made safe for a terminal. */
  down(server: string, { detail }: Failure): void {
    this.#say(`${server} is down: ${showUntrusted(detail, 300)}`, { level: 'warn', server })
  }

  /**
   * Reports how many tools wait for review, but only when the number changes: otherwise, a server that keeps changing
   * its tools would flood the log.
   */
  held(server: string, count: number): void {
    if (!isNew(this.#held, server, count)) return
    this.#say(
      `${server}: ${count === 1 ? 'one tool waits' : `${count} tools wait`} for review: run hintgate tools review`,
    )
  }

  /** Reports how many tools are ignored, but only when the number changes. */
  leftOut(server: string, count: number): void {
    if (!isNew(this.#leftOut, server, count)) return
    this.#say(
      `${server}: ${count === 1 ? 'one tool is' : `${count} tools are`} ignored because names must have 1 to ${LONGEST_NAME} characters`,
      { level: 'warn', server },
    )
  }

  /**
   * Reports that agents cannot see a server because it has no tools. Without this, nothing would be logged about it.
   */
  unheard(name: string, server: UpstreamServer | undefined, catalog: Catalog): void {
    const isNow = server !== undefined && catalog.held(name).length === 0 && catalog.isWhollyHeld(server)
    if (isNow && !this.#unheard.has(name))
      this.#say(`${explainToolless(name)}: ${letSpeak(name)}`, { level: 'warn', server: name })
    if (isNow) this.#unheard.add(name)
    else this.#unheard.delete(name)
  }

  /** Reports changed settings that are not applied until the gateway restarts. */
  waiting(config: Config, before: Config): void {
    const changed = NEEDS_RESTART.filter(key => JSON.stringify(before[key]) !== JSON.stringify(config[key]))
    if (changed.length > 0)
      this.#say(`changed, but not applied until the gateway restarts: ${changed.join(', ')}`)
  }
}

/** Records a number, and returns true if it differs from the last one and is above zero. */
function isNew(told: Map<string, number>, server: string, count: number): boolean {
  if (count === (told.get(server) ?? 0)) return false
  told.set(server, count)
  return count > 0
}

function describeFault(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error)
}
