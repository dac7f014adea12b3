import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { BOUNDS, type Distribution, type Measure } from '../telemetry/measure.ts'

export function createMetrics(measures: readonly (Measure | Distribution)[]): Registry {
  const registry = new Registry()
  for (const measure of measures) registry.registerMetric(create(measure))
  return registry
}

function create(measure: Measure | Distribution): Counter | Gauge | Histogram {
  if (measure.kind === 'histogram') return new CountedHistogram(measure)
  const { name, help, points } = measure
  const labelNames = [...new Set(points.flatMap(({ labels }) => Object.keys(labels)))]
  const settings = { name, help, labelNames, registers: [] }
  if (measure.kind === 'counter') {
    const counter = new Counter(settings)
    for (const { labels, value } of points) counter.inc(labels, value)
    return counter
  }
  const gauge = new Gauge(settings)
  for (const { labels, value } of points) gauge.set(labels, value)
  return gauge
}

/** A histogram of values that are counted elsewhere. prom-client's own histogram would have to observe every value. */
class CountedHistogram extends Histogram {
  readonly #measure: Distribution

  constructor(measure: Distribution) {
    super({ name: measure.name, help: measure.help, registers: [] })
    this.#measure = measure
  }

  /** Called by prom-client when the metrics are read. */
  async getForPromString() {
    const values = this.#measure.points.flatMap(point => this.#lines(point))
    return {
      name: this.#measure.name,
      help: this.#measure.help,
      type: 'histogram',
      values,
      aggregator: 'sum',
    }
  }

  #lines({ labels, value }: Distribution['points'][number]) {
    const { name } = this.#measure
    let upTo = 0
    const buckets = value.counts.map((count, at) => {
      upTo += count
      const le = String(BOUNDS[at] ?? '+Inf')
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: upTo }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: value.sum },
      { metricName: `${name}_count`, labels, value: value.count },
    ]
  }
}
