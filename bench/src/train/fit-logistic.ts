/** One labelled example: its features by column, and how much it counts. */
export interface Example {
  readonly columns: readonly number[]
  readonly values: readonly number[]
  readonly yes: boolean
  readonly weight: number
}

export interface Penalty {
  /** Pulls every weight towards zero in proportion to it. */
  readonly ridge: number
  /** Sets weights to zero that earn less than this. */
  readonly lasso: number
}

export interface Fit {
  readonly bias: number
  readonly weights: readonly number[]
}

interface Column {
  readonly rows: Int32Array
  readonly values: Float64Array
}

const SWEEPS = 30
/** A step is bounded, and curvature is never taken for zero, so that the first sweeps cannot overshoot. */
const MAX_STEP = 1
const MIN_CURVATURE = 0.02

/**
 * Logistic regression by coordinate descent: one Newton step per column, over and over. It uses no randomness, so the
 * same examples in the same order give the same weights.
 */
export function fitLogistic(examples: readonly Example[], width: number, { ridge, lasso }: Penalty): Fit {
  const state = new State(examples)
  const everyRow: Column = {
    rows: Int32Array.from(examples.keys()),
    values: new Float64Array(examples.length).fill(1),
  }
  const columns = toColumns(examples, width)
  const weights = new Float64Array(width)
  let bias = 0
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    state.measure(everyRow)
    const shift = bound(-state.pull / (state.curve + Number.EPSILON))
    bias += shift
    state.move(everyRow, shift)
    for (let at = 0; at < width; at += 1) {
      const column = columns[at]
      if (column === undefined || column.rows.length === 0) continue
      const own = weights[at] ?? 0
      state.measure(column)
      const curve = state.curve + ridge + Number.EPSILON
      const wanted = shrink(own - (state.pull + ridge * own) / curve, lasso / curve)
      const step = bound(wanted - own)
      if (step === 0) continue
      weights[at] = own + step
      state.move(column, step)
    }
  }
  return { bias, weights: [...weights] }
}

/** The chances of all examples under the present weights. */
class State {
  pull = 0
  curve = 0
  private readonly margins: Float64Array
  private readonly chances: Float64Array
  private readonly truths: Float64Array
  private readonly counts: Float64Array

  constructor(examples: readonly Example[]) {
    this.margins = new Float64Array(examples.length)
    this.chances = new Float64Array(examples.length).fill(0.5)
    this.truths = Float64Array.from(examples, ({ yes }) => (yes ? 1 : 0))
    this.counts = Float64Array.from(examples, ({ weight }) => weight)
  }

  /** First and second derivative of the loss along a column, into `pull` and `curve`, which saves an object per step. */
  measure({ rows, values }: Column): void {
    let pull = 0
    let curve = 0
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] ?? 0
      const value = values[at] ?? 0
      const chance = this.chances[row] ?? 0
      const count = this.counts[row] ?? 0
      pull += count * (chance - (this.truths[row] ?? 0)) * value
      curve += count * Math.max(chance * (1 - chance), MIN_CURVATURE) * value * value
    }
    this.pull = pull
    this.curve = curve
  }

  move({ rows, values }: Column, step: number): void {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] ?? 0
      const margin = (this.margins[row] ?? 0) + step * (values[at] ?? 0)
      this.margins[row] = margin
      this.chances[row] = 1 / (1 + Math.exp(-margin))
    }
  }
}

function toColumns(examples: readonly Example[], width: number): Column[] {
  const found = Array.from({ length: width }, () => ({ rows: [] as number[], values: [] as number[] }))
  examples.forEach(({ columns, values }, row) => {
    columns.forEach((column, at) => {
      found[column]?.rows.push(row)
      found[column]?.values.push(values[at] ?? 0)
    })
  })
  return found.map(({ rows, values }) => ({
    rows: Int32Array.from(rows),
    values: Float64Array.from(values),
  }))
}

function shrink(value: number, by: number): number {
  if (value > by) return value - by
  return value < -by ? value + by : 0
}

function bound(step: number): number {
  return Math.max(-MAX_STEP, Math.min(MAX_STEP, step))
}
