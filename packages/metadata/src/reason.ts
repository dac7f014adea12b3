/** One thing that a verdict rests on, for people and agents alike: never a secret, never an argument's value. */
export interface Reason {
  /** Stable name of the rule, such as `policy.no-mass-mail` or `guardrail.max_recipients`. */
  readonly rule: string
  /** Where the rule is from: a file and line, `config`, `token`, `tool`. */
  readonly source: string
  readonly text: string
}
