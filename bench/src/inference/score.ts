/** A guess with its label. Labels are strings, so that hints and categories are scored in the same way. */
export interface Sample {
  readonly vendor: string
  readonly truth: string
  readonly guess: string
}

interface ClassScore {
  readonly label: string
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export interface Score {
  readonly tools: number
  readonly vendors: number
  /** Over all tools together: large vendors dominate. */
  readonly micro: number
  /** The headline figure: each vendor counts once. */
  readonly meanOverVendors: number
  readonly macroF1: number
  readonly classes: readonly ClassScore[]
  /** confusion[truth][guess] is a count. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly perVendor: Readonly<Record<string, VendorScore>>
}

interface VendorScore {
  readonly tools: number
  readonly accuracy: number
  readonly macroF1: number
}

export function scoreSamples(samples: readonly Sample[], labels: readonly string[]): Score {
  const byVendor = groupBy(samples, sample => sample.vendor)
  const perVendor = Object.fromEntries(
    [...byVendor]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([vendor, own]): [string, VendorScore] => [
        vendor,
        { tools: own.length, accuracy: accuracyOf(own), macroF1: macroF1Of(scoreClasses(own, labels)) },
      ]),
  )
  const classes = scoreClasses(samples, labels)
  return {
    tools: samples.length,
    vendors: byVendor.size,
    micro: accuracyOf(samples),
    meanOverVendors: mean(Object.values(perVendor).map(({ accuracy }) => accuracy)),
    macroF1: macroF1Of(classes),
    classes,
    confusion: countConfusion(samples, labels),
    perVendor,
  }
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** The mean of no values is NaN, shown as a dash and null in JSON, never as zero. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function accuracyOf(samples: readonly Sample[]): number {
  return samples.filter(({ truth, guess }) => truth === guess).length / samples.length
}

/** Classes that neither occur nor are guessed are omitted. */
function scoreClasses(samples: readonly Sample[], labels: readonly string[]): ClassScore[] {
  return labels.flatMap(label => {
    const hits = samples.filter(({ truth, guess }) => truth === label && guess === label).length
    const guessed = samples.filter(({ guess }) => guess === label).length
    const actual = samples.filter(({ truth }) => truth === label).length
    if (guessed + actual === 0) return []
    const precision = guessed === 0 ? 0 : hits / guessed
    const recall = actual === 0 ? 0 : hits / actual
    return [{ label, precision, recall, f1: (2 * hits) / (guessed + actual) }]
  })
}

function macroF1Of(classes: readonly ClassScore[]): number {
  return mean(classes.map(({ f1 }) => f1))
}

function countConfusion(
  samples: readonly Sample[],
  labels: readonly string[],
): Record<string, Record<string, number>> {
  return Object.fromEntries(
    labels.map(truth => [
      truth,
      Object.fromEntries(
        labels.map(guess => [
          guess,
          samples.filter(sample => sample.truth === truth && sample.guess === guess).length,
        ]),
      ),
    ]),
  )
}

/** The most frequent label: the constant guess of the majority-class baseline. */
export function findMajority(samples: readonly Sample[]): string {
  const groups = [...groupBy(samples, ({ truth }) => truth)]
  return groups.reduce(
    (best, next) => (next[1].length > best[1].length ? next : best),
    groups[0] ?? ['', []],
  )[0]
}
