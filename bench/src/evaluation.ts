/** What every evaluation is given; nothing reads the clock, the arguments or the terminal on its own. */
export interface EvalContext {
  readonly dataFolder: string
  readonly json: boolean
  readonly enforceBars: boolean
  /** Measure time and memory instead of quality, where an evaluation can. */
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
