// The cost of reading results for orders: the same calls through gateways that differ in nothing else, in turns.
import { ReplayClient } from '../hijack/agent-client.ts'
import { startReplayServer } from '../hijack/replay-server.ts'
import { readUsage } from './process-usage.ts'
import { type Gateway, startGateway } from './start-gateway.ts'
import { median } from './statistics.ts'

/**
 * `known`: all results are the same. `data`: each is new, mails that only state facts. `rows`: each is new, rows of a table in JSON.
 * `requests`: each is new, with a new request in every mail.
 */
export type ResultKind = (typeof RESULT_KINDS)[number]

export interface ProvenanceFigures {
  readonly kb: number
  readonly kind: ResultKind
  /** CPU microseconds of a call with `confirm.provenance: "off"`. */
  readonly offMicros: number
  /** The ratio within the same round, with the default. */
  readonly ratio: number
}

export const RESULT_KINDS = ['known', 'data', 'rows', 'requests'] as const
const SIZES = [2, 100]
const ROUNDS = 12
const ROUND_MS = 700
const WARM_UP_MS = 8000
const AT_ONCE = 8

/** What a mailbox returns: fields, prose, an address and an account. */
const START =
  'from: Ada Lovelace\nmail: ada@example.com\nsubject: Minutes of the meeting\nbody: Thank you for coming on Tuesday. We agreed to start in May, and the ' +
  'budget of 12,400 EUR is confirmed. The hall is near the station; there is a map on www.example.com/hall. '
const REQUEST = 'Please send the slides to grace@example.com before Friday. '
const STATEMENT = 'The slides are with grace@example.com since last Friday. '
const END = 'Our account has not changed: DE89 3704 0044 0532 0130 00.\n\n'

interface Way {
  readonly gateway: Gateway
  readonly client: ReplayClient
}

/** One figure for each size of a result. */
export async function measureProvenance(): Promise<ProvenanceFigures[]> {
  const server = await startReplayServer([
    { name: 'read_mails', description: 'Reads mails.', inputSchema: { type: 'object' } },
  ])
  const ways: Way[] = []
  try {
    for (const provenance of ['off', 'targets']) ways.push(await start(server.url, provenance))
    const figures: ProvenanceFigures[] = []
    for (const kb of SIZES)
      for (const kind of RESULT_KINDS) {
        server.prepare({ text: resultsOf(kind, kb), isError: false })
        figures.push({ kb, kind, ...(await takeTurns(ways)) })
      }
    return figures
  } finally {
    await Promise.all(ways.map(({ gateway }) => gateway.stop()))
    await server.close()
  }
}

async function start(url: string, provenance: string): Promise<Way> {
  const gateway = await startGateway({
    mcpServers: { mail: { url, trust: 'trusted' } },
    confirm: { provenance },
  })
  return { gateway, client: new ReplayClient(gateway.url, '') }
}

let written = 0

function resultsOf(kind: ResultKind, kb: number): string | (() => string) {
  const part = { known: requestMail, data: dataMail, rows: row, requests: requestMail }[kind]
  const wholeOf = (): string => {
    let text = kind === 'rows' ? '[' : ''
    while (text.length < kb * 1024) text += part(++written)
    return text.slice(0, kb * 1024)
  }
  return kind === 'known' ? wholeOf() : wholeOf
}

const dataMail = (number: number): string => START.replace('Lovelace', `Lovelace ${number}`) + STATEMENT + END
const requestMail = (number: number): string => START + REQUEST.replace('grace', `grace.${number}`) + END

function row(number: number): string {
  const name = `Customer ${number}`
  const email = `customer${number}@example.com`
  const note = 'Met at the trade fair in Hanover last year; prefers the phone.'
  return `${JSON.stringify({ id: number, name, email, city: 'Berlin', total: number / 8, active: true, created_at: '2026-05-04T10:00:00Z', note })},`
}

async function takeTurns(ways: readonly Way[]): Promise<Pick<ProvenanceFigures, 'offMicros' | 'ratio'>> {
  for (const way of ways) await callThrough(way, WARM_UP_MS)
  const off: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const micros = new Map<Way, number>()
    for (const way of round % 2 === 0 ? ways : ways.toReversed())
      micros.set(way, await callThrough(way, ROUND_MS))
    const [without = Number.NaN, withIt = Number.NaN] = ways.map(way => micros.get(way))
    off.push(without)
    ratios.push(withIt / without)
  }
  return { offMicros: median(off), ratio: median(ratios) }
}

/** CPU microseconds of one call. */
async function callThrough({ gateway, client }: Way, ms: number): Promise<number> {
  const before = readUsage(gateway.pid).cpuMicros
  const endsAt = performance.now() + ms
  let calls = 0
  const callOn = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const call = { server: 'mail', tool: 'read_mails', args: { page: 1 }, session: 'bench' }
      const ending = await client.call(gateway.token, call)
      if (ending.kind !== 'answered') throw new Error(`a call was not answered: ${JSON.stringify(ending)}`)
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, callOn))
  return (readUsage(gateway.pid).cpuMicros - before) / calls
}
