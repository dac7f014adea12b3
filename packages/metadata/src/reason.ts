/**
 * A reason for a verdict, written for both people and agents. It never contains a secret or the value of an argument.
 */
export interface Reason {
  /** The rule's stable name, such as `policy.no-mass-mail` or `guardrail.max_recipients`. */
  readonly rule: string
  /** The origin of the rule: a file and line, or a word such as `config`, `token`, `tool` or `session`. */
  readonly source: string
  readonly text: string
}
