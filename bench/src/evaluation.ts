/** The input of every evaluation. Evaluations do not read the clock, the arguments or the terminal themselves. */
export interface EvalContext {
  readonly dataFolder: string
  readonly json: boolean
  readonly enforceBars: boolean
  /** Measure time and memory instead of quality, if the evaluation supports it. */
  readonly speed: boolean
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
