export interface Measure {
  /** The measure's name in Prometheus. */
  readonly name: string
  readonly otel: string
  readonly help: string
  readonly unit?: 's'
  readonly kind: 'counter' | 'gauge'
  readonly points: readonly Point[]
}

export interface Point {
  readonly labels: Labels
  readonly value: number
}

export type Labels = Readonly<Record<string, string>>

export interface Distribution {
  readonly name: string
  readonly otel: string
  readonly help: string
  readonly unit: 's'
  readonly kind: 'histogram'
  readonly points: readonly { readonly labels: Labels; readonly value: Durations }[]
}

/**
 * The upper bounds of the duration buckets, in seconds. From 0.01 up, they are those of OpenTelemetry's conventions for
 * MCP. The smaller ones are for servers on the same machine, which are faster.
 */
export const BOUNDS = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
] as const

export class Durations {
  /**
   * One more count than there are bounds. Each counts the calls between the previous bound and its own; the last has no
   * upper bound.
   */
  readonly counts = Array.from({ length: BOUNDS.length + 1 }, () => 0)
  sum = 0
  count = 0

  add(seconds: number, times = 1): void {
    let at = 0
    while (at < BOUNDS.length && seconds > (BOUNDS[at] ?? 0)) at += 1
    this.counts[at] = (this.counts[at] ?? 0) + times
    this.sum += seconds * times
    this.count += times
  }
}
