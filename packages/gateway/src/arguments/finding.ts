export type Step = string | number

/** One thing that does not fit, as the check saw it; words come later, and only for the one that is shown. */
export interface Finding extends Failure {
  readonly path: readonly Step[]
}

export interface Failure {
  readonly keyword: string
  /** The part of the schema to show. */
  readonly schema: unknown
  /** What stands where it does not fit. */
  readonly value?: unknown
  /** The field that is missing or unknown, or how many there have to be of what it is about. */
  readonly detail?: string | number | undefined
  /** What is wrong in each alternative, where none is closer than the others. */
  readonly parts?: readonly Finding[] | undefined
}
