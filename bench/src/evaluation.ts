/** The input of every evaluation. Evaluations do not read the clock, the arguments or the terminal themselves. */
export interface EvalContext {
  readonly dataFolder: string
  readonly json: boolean
  readonly enforceBars: boolean
  /** Measure time and memory instead of quality, if the evaluation supports it. */
  readonly speed: boolean
  /** Also measure what needs a model that is installed separately. */
  readonly semantic: boolean
  /** List what was judged wrongly, where an evaluation can. */
  readonly misses: boolean
  /** Only suites with this in their names. */
  readonly suite?: string | undefined
  /** A config of the gateway in place of the defaults. */
  readonly config?: string | undefined
  /** Only attacks in these forms, with commas between them; `none` for none. */
  readonly forms?: string | undefined
  /** At most so many hijacked runs of a suite in each form and for each attacker. */
  readonly sample?: number | undefined
  /** A file that gets the JSON as well. */
  readonly save?: string | undefined
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  readonly now: () => number
}

export interface Evaluation {
  readonly about: string
  /** The folder inside the data folder that must exist. */
  readonly needs: string
  readonly run: (context: EvalContext) => Promise<number>
}
