// The cost of the toolkit: the same ten tools with it and with the bare SDK, in turns.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expectText, nameTool } from './answers.ts'
import type { Load, Target } from './load.ts'
import type { LoadProcess } from './load-process.ts'
import { BAR_SHAPE } from './plan.ts'
import { readUsage } from './process-usage.ts'
import { INITIALIZED, writeCall, writeInitialize } from './requests.ts'
import { startProcess } from './start-process.ts'
import { median } from './statistics.ts'

export interface ToolkitFigures {
  readonly transport: 'http' | 'stdio'
  /** CPU microseconds of a call of the bare SDK. */
  readonly bareMicros: number
  /** The toolkit's CPU time divided by that. */
  readonly ratio: number
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TOOLS = 10
const ROUNDS = 15
const ROUND_MS = 300
const ROUND_CALLS = 8000
const WARM_UP_TURNS = 4
const AT_ONCE = 16

/** The programs of both servers, as text, so that the bench does not import what it measures. */
const COMMON = `
  import * as z from "zod"
  const filler = ${JSON.stringify(expectText('', 0.1).slice(1))}
  const names = Array.from({ length: ${TOOLS} }, (_, index) => "read_record_" + index)
  const description = "Reads a record and returns its text, with as many kilobytes of it as wanted."
  const shape = { kb: z.number().describe("How much of the record"), nonce: z.string().describe("Comes back") }
`

const TOOLKIT = `
  ${COMMON}
  import { Toolkit } from "@hintgate/toolkit"
  const toolkit = new Toolkit({ name: "toolkit", version: "1.0.0" })
  for (const name of names)
    toolkit.tool({ name, description, input: shape, preset: "read-query", execute: (ctx, { nonce }) => ctx.text(nonce + ":" + filler) })
`

const BARE = `
  ${COMMON}
  import { McpServer } from "@modelcontextprotocol/server"
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  const inputSchema = z.object(shape)
  function create() {
    const server = new McpServer({ name: "bare", version: "1.0.0" })
    for (const name of names)
      server.registerTool(name, { description, inputSchema, annotations }, ({ nonce }) => ({ content: [{ type: "text", text: nonce + ":" + filler }] }))
    return server
  }
`

const PROGRAMS = {
  http: {
    toolkit: `${TOOLKIT}\nawait toolkit.serve({ args: ["--http", "--port", "0"] })`,
    bare: `${BARE}
      import { createServer } from "node:http"
      import { toNodeHandler } from "@modelcontextprotocol/node"
      import { createMcpHandler } from "@modelcontextprotocol/server"
      const server = createServer(toNodeHandler(createMcpHandler(create)))
      server.listen(0, "127.0.0.1", () => console.log("listening http://127.0.0.1:" + server.address().port + "/mcp"))`,
  },
  stdio: {
    toolkit: `${TOOLKIT}\nawait toolkit.serve({ args: ["--stdio"] })`,
    bare: `${BARE}
      import { serveStdio } from "@modelcontextprotocol/server/stdio"
      serveStdio(create)`,
  },
}

interface Way {
  readonly pid: number
  /** Makes calls for a while and returns their number. */
  readonly call: () => Promise<number>
  readonly stop: () => Promise<void> | void
}

export async function measureToolkit(load: LoadProcess): Promise<ToolkitFigures[]> {
  return [
    await compare('http', program => startHttp(program, load)),
    await compare('stdio', program => startStdio(program)),
  ]
}

async function compare(
  transport: 'http' | 'stdio',
  start: (program: string) => Promise<Way>,
): Promise<ToolkitFigures> {
  const bare = await start(PROGRAMS[transport].bare)
  const toolkit = await start(PROGRAMS[transport].toolkit)
  try {
    for (let turn = 0; turn < WARM_UP_TURNS; turn++) for (const way of [bare, toolkit]) await way.call()
    const rounds: { bare: number; toolkit: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // Every other round runs in reverse order, so that neither is always second.
      const isForwards = round % 2 === 0
      const first = await measure(isForwards ? bare : toolkit)
      const second = await measure(isForwards ? toolkit : bare)
      rounds.push(isForwards ? { bare: first, toolkit: second } : { bare: second, toolkit: first })
    }
    const bareMicros = undisturbed(rounds.map(round => round.bare))
    return { transport, bareMicros, ratio: undisturbed(rounds.map(round => round.toolkit)) / bareMicros }
  } finally {
    await Promise.all([bare.stop(), toolkit.stop()])
  }
}

/** Other work on the machine only makes calls more expensive, so the best third is closest to the real cost. */
function undisturbed(micros: readonly number[]): number {
  return median(micros.toSorted((a, b) => a - b).slice(0, Math.ceil(micros.length / 3)))
}

async function measure({ pid, call }: Way): Promise<number> {
  const before = readUsage(pid).cpuMicros
  const calls = await call()
  return (readUsage(pid).cpuMicros - before) / calls
}

const toArgs = (program: string): string[] => ['--input-type=module', '--eval', program]

async function startHttp(program: string, load: LoadProcess): Promise<Way> {
  const args = toArgs(program)
  const ready = /listening (http:\S+)/
  const { pid, url, stop } = await startProcess({
    name: 'a server',
    command: process.execPath,
    args,
    cwd: ROOT,
    ready,
  })
  const target: Target = { kind: 'http', url, headers: {} }
  const wanted: Load = {
    targets: [target],
    era: 'modern',
    tools: TOOLS,
    milliseconds: ROUND_MS,
    ...BAR_SHAPE,
  }
  const call = async (): Promise<number> => {
    const { firstWrong, calls } = await load.order({ kind: 'load', load: wanted })
    if (firstWrong !== undefined) throw new Error(firstWrong)
    return calls
  }
  return { pid, call, stop }
}

async function startStdio(program: string): Promise<Way> {
  const child = spawn(process.execPath, toArgs(program), { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
  const answered = readLines(child.stdout)
  let id = 1
  const write = (): void => {
    const call = { tool: nameTool(id % TOOLS), nonce: `n${id}`, kb: 0.1 } as const
    child.stdin.write(`${writeCall('legacy', id++, call)}\n`)
  }
  child.stdin.write(`${writeInitialize()}\n`)
  await answered.next()
  child.stdin.write(`${INITIALIZED}\n`)
  const call = async (): Promise<number> => {
    for (let sent = 0; sent < AT_ONCE; sent++) write()
    for (let done = 0; done < ROUND_CALLS; done++) {
      const line = await answered.next()
      if (!line.includes('"text":"n')) throw new Error(`Unexpected answer: ${line.slice(0, 200)}`)
      if (done + AT_ONCE < ROUND_CALLS) write()
    }
    return ROUND_CALLS
  }
  const stop = async (): Promise<void> => {
    child.stdin.end()
    await once(child, 'exit')
  }
  return { pid: child.pid ?? 0, call, stop }
}

/** Lines as they arrive, one at a time. */
function readLines(stream: NodeJS.ReadableStream): { next(): Promise<string> } {
  const waiting: ((line: string) => void)[] = []
  const lines: string[] = []
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      const take = waiting.shift()
      if (take === undefined) lines.push(line)
      else take(line)
    }
  })
  return {
    next: () => {
      const line = lines.shift()
      return line === undefined ? new Promise(resolve => waiting.push(resolve)) : Promise.resolve(line)
    },
  }
}
