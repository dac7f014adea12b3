// Calls at a given concurrency for a given time. The content of every answer is checked.
import { expectText, nameTool } from './answers.ts'
import type { Connection, Request } from './connection.ts'
import type { Load, Outcome } from './load.ts'
import { openConnection } from './open-connection.ts'
import { writeCall, writeList } from './requests.ts'

const MOST_WRONG = 20
let lastId = 0

interface Question extends Request {
  /** The text that its answer must contain. */
  readonly expected: readonly string[]
}

export async function generateLoad(load: Load): Promise<Outcome> {
  const connections: Connection[] = []
  try {
    for (const target of load.targets)
      connections.push(await openConnection(target, load.era, load.concurrency))
    return await driveWorkers(load, connections)
  } finally {
    await Promise.all(connections.map(connection => connection.close()))
  }
}

async function driveWorkers(load: Load, connections: readonly Connection[]): Promise<Outcome> {
  const latencies: number[] = []
  const wrong: string[] = []
  let turn = 0

  /** Its latency in microseconds, or undefined for a wrong answer. */
  async function callOnce(): Promise<number | undefined> {
    const question = createQuestion(load, turn)
    const connection = connections[turn++ % connections.length]
    if (connection === undefined) return undefined
    const sentAt = performance.now()
    const complaint = await ask(connection, question)
    if (complaint === undefined) return (performance.now() - sentAt) * 1000
    wrong.push(complaint)
    return undefined
  }

  async function work(endsAt: number): Promise<void> {
    // Prevents a busy loop when a proxy refuses everything at once.
    while (performance.now() < endsAt && wrong.length < MOST_WRONG) {
      const latency = await callOnce()
      if (latency !== undefined) latencies.push(latency)
    }
  }

  // The first calls open connections. In a short round they would dominate the slowest hundredth.
  const opening = load.concurrency * connections.length
  await Promise.all(Array.from({ length: opening }, callOnce))
  const startedAt = performance.now()
  const endsAt = startedAt + load.milliseconds
  await Promise.all(Array.from({ length: load.concurrency }, () => work(endsAt)))
  return {
    calls: turn,
    milliseconds: performance.now() - startedAt,
    latencies: Float64Array.from(latencies),
    wrong: wrong.length,
    ...(wrong[0] !== undefined && { firstWrong: wrong[0] }),
  }
}

function createQuestion({ operation, era, kb, tools }: Load, turn: number): Question {
  const id = ++lastId
  if (operation === 'list') {
    const expected = [`"id":${id}`, `"${nameTool(0)}"`, `"${nameTool(tools - 1)}"`]
    return { id, method: 'tools/list', body: writeList(era, id), expected }
  }
  const tool = nameTool(turn % tools)
  const nonce = `n${id}x${turn}`
  const expected = [`"id":${id}`, `"${expectText(nonce, kb)}"`]
  return { id, method: 'tools/call', tool, body: writeCall(era, id, { tool, nonce, kb }), expected }
}

/** The problem of an answer, or undefined. */
async function ask(connection: Connection, question: Question): Promise<string | undefined> {
  try {
    const text = await connection.send(question)
    const missing = question.expected.find(part => !text.includes(part))
    return missing === undefined ? undefined : `no ${missing.slice(0, 60)} in ${text.slice(0, 200)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
