import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { assessTool } from '@hintgate/metadata'
import { type Gateway, startGateway } from '../performance/start-gateway.ts'
import { OWN_TOOL } from './adapt-attack.ts'
import { ReplayClient } from './agent-client.ts'
import type { ReplayedCase, Suite } from './load-suites.ts'
import { type Lane, type Played, playCase } from './play-case.ts'
import { startReplayServer } from './replay-server.ts'

/** Runs that are played together. A lane answers one call at a time, so each run has one to itself. */
const LANES = 6

/** The runs of one table cell: a form or an attacker, with one setting of the gateway. */
export interface Series {
  readonly name: string
  readonly cases: readonly ReplayedCase[]
  /** Whether the client states the user's request. */
  readonly statesTask: boolean
}

interface Setting {
  readonly config: object
  readonly series: readonly Series[]
  readonly onPlayed: (series: Series, runs: readonly Played[]) => void
  /** Called at the end, while the gateway still runs. */
  readonly onEnd?: (gateway: Gateway) => Promise<void>
}

/** One gateway for all series of a suite; a fresh agent and session for each run. */
export async function playSuite(suite: Suite, { config, series, onPlayed, onEnd }: Setting): Promise<void> {
  const numbers = Array.from({ length: LANES }, (_, at) => at + 1)
  const servers = await Promise.all(
    numbers.map(async number => ({
      suite: { name: `replay-${number}`, server: await startReplayServer(suite.tools) },
      own: { name: `own-${number}`, server: await startReplayServer([OWN_TOOL]) },
    })),
  )
  const all = servers.flatMap(lane => [lane.suite, lane.own])
  const mcpServers = Object.fromEntries(
    all.map(({ name, server }) => [name, { url: server.url, trust: 'trusted' }]),
  )
  const gateway = await startGateway({ ...config, mcpServers })
  try {
    const client = new ReplayClient(gateway.url, await mintAdmin(gateway))
    const lanes = servers.map(lane => ({ client, ...lane }))
    let agents = 0
    const nameAgent = (): string => `agent-${++agents}`
    for (const one of series) onPlayed(one, await playSeries(suite, one, { lanes, nameAgent }))
    await onEnd?.(gateway)
  } finally {
    await gateway.stop()
    await Promise.all(all.map(({ server }) => server.close()))
  }
}

interface Crew {
  readonly lanes: readonly Lane[]
  readonly nameAgent: () => string
}

async function playSeries(
  { tools }: Suite,
  { cases, statesTask }: Series,
  { lanes, nameAgent }: Crew,
): Promise<Played[]> {
  const reads = new Set(
    [...tools, OWN_TOOL].filter(tool => assessTool(tool).inferred.readOnly?.value).map(tool => tool.name),
  )
  const isPlainRead = (tool: string): boolean => reads.has(tool)
  const played: Played[] = []
  let next = 0
  const playOn = async (lane: Lane): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const one = cases[at]
      if (one === undefined) return
      const token = await lane.client.createAgent(nameAgent(), statesTask)
      const task = statesTask ? one.prompt : undefined
      played[at] = await playCase(one, { ...lane, token, task, isPlainRead })
    }
  }
  await Promise.all(lanes.map(playOn))
  return played
}

async function mintAdmin({ place }: Gateway): Promise<string> {
  const bin = new URL('../../../packages/gateway/bin/hintgate.js', import.meta.url)
  const args = [bin.pathname, 'tokens', 'create', 'replay-admin', '--role', 'admin', '--json', ...place]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return (JSON.parse(stdout) as { token: string }).token
}
