/** What is wrong with a condition, and at which of its characters. */
export interface Complaint {
  readonly offset: number
  readonly message: string
  readonly fix: string
}
