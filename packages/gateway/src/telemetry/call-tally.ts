import type { OutcomeEntry, ResultFinding } from '../audit/entry.ts'
import { type Distribution, Durations, type Labels, type Measure } from './measure.ts'

/**
 * Maximum number of time series. Operators choose the servers and tools, so a larger number is a mistake, which must
 * not fill the memory.
 */
const MOST_SERIES = 2000
const MOST_TOOLS = 200
const OTHER = 'other'
const UNKNOWN = 'unknown'
const NO_VERDICT = 'none'

interface Series<V> {
  readonly labels: Labels
  readonly value: V
}

/**
 * Counts calls when they end. A name that a caller made up never becomes a label, because such labels could fill the
 * memory.
 */
export class CallTally {
  readonly #calls = new Map<string, Series<Durations>>()
  readonly #tools = new Map<string, Series<{ count: number }>>()
  readonly #codes = new Map<string, number>()
  readonly #findings = new Map<string, Series<{ count: number }>>()

  count(entry: OutcomeEntry): void {
    const { call, outcome, code, durationMs, findings = [] } = entry
    const { known, server, tool, verdict = NO_VERDICT } = call
    const [from, variant] = known === undefined ? [UNKNOWN, UNKNOWN] : [server, known.variant]
    this.#find(from, variant, `${verdict} ${outcome}`).add(durationMs / 1000)
    if (known !== undefined) this.#findTool(server, tool).count += 1
    for (const finding of findings) this.#noteFinding(from, finding)
    // Only Hintgate's own codes are counted, because servers can send any number of different codes.
    if (code !== undefined && (outcome === 'refused' || outcome === 'failed'))
      this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1)
  }

  measures(): (Measure | Distribution)[] {
    const calls = [...this.#calls.values()]
    return [
      {
        name: 'hintgate_calls_total',
        otel: 'hintgate.calls',
        help: 'Calls by server, variant, verdict and outcome',
        kind: 'counter',
        points: calls.map(({ labels, value }) => ({ labels, value: value.count })),
      },
      {
        name: 'hintgate_call_duration_seconds',
        otel: 'mcp.server.operation.duration',
        help: 'Duration of calls from request to answer, in seconds',
        unit: 's',
        kind: 'histogram',
        points: calls,
      },
      {
        name: 'hintgate_tool_calls_total',
        otel: 'hintgate.tool.calls',
        help: `Calls by tool; tools after the first ${MOST_TOOLS} are counted together`,
        kind: 'counter',
        points: [...this.#tools.values()].map(({ labels, value }) => ({ labels, value: value.count })),
      },
      {
        name: 'hintgate_refusals_total',
        otel: 'hintgate.refusals',
        help: 'Calls that were refused or failed, by code',
        kind: 'counter',
        points: [...this.#codes].map(([code, value]) => ({ labels: { code }, value })),
      },
      {
        name: 'hintgate_result_findings_total',
        otel: 'hintgate.result.findings',
        help: 'Findings in results, by server, kind and action',
        kind: 'counter',
        points: [...this.#findings.values()].map(({ labels, value }) => ({ labels, value: value.count })),
      },
    ]
  }

  /** Counts a finding. The rule's name is left out, because it can contain text from a server. */
  #noteFinding(server: string, { kind, action, count }: ResultFinding): void {
    const key = JSON.stringify([server, kind, action])
    const found = this.#findings.get(key)
    if (found !== undefined) found.value.count += count
    else if (this.#findings.size < MOST_SERIES)
      this.#findings.set(key, { labels: { server, kind, action }, value: { count } })
  }

  #find(server: string, variant: string, ending: string): Durations {
    const key = `${server} ${variant} ${ending}`
    const found = this.#calls.get(key)
    if (found !== undefined) return found.value
    if (this.#calls.size >= MOST_SERIES && server !== OTHER) return this.#find(OTHER, variant, ending)
    const [verdict = '', outcome = ''] = ending.split(' ')
    const value = new Durations()
    this.#calls.set(key, { labels: { server, variant, verdict, outcome }, value })
    return value
  }

  #findTool(server: string, tool: string): { count: number } {
    const key = `${server}:${tool}`
    const found = this.#tools.get(key)
    if (found !== undefined) return found.value
    if (this.#tools.size >= MOST_TOOLS && tool !== OTHER) return this.#findTool(OTHER, OTHER)
    const value = { count: 0 }
    this.#tools.set(key, { labels: { server, tool }, value })
    return value
  }
}
