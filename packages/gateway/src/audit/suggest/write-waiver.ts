/** A waiver without the person who accepts it. */
export interface WaiverDraft {
  readonly id: string
  readonly waives: readonly string[]
  /** A name, or a pattern with a star at its end. */
  readonly agents: string
  readonly servers: string
  readonly tool: string
  readonly fingerprint: string
  /** The toolset whose calls alone are covered. Without one, the condition leaves out the calls of all toolsets. */
  readonly set: string | undefined
  /** The condition in CEL, with one part on each line. */
  readonly when: string
}

export interface Acceptance {
  readonly author: string
  /** The time at which the rule expires, in milliseconds since the epoch. */
  readonly expires: number
  readonly reason: string
}

/** Writes a rule as one item of the list `rules:` of a policy file. */
export function writeWaiver(draft: WaiverDraft, { author, expires, reason }: Acceptance): string {
  const { id, waives, agents, servers, tool, fingerprint, set, when } = draft
  const text = (value: string): string => JSON.stringify(value)
  return [
    `  - id: ${text(id)}`,
    '    effect: waive',
    `    waives: [${waives.map(text).join(', ')}]`,
    `    agents: ${text(agents)}`,
    `    tools: ${text(`${servers}:${tool}`)}`,
    `    fingerprints: ${text(fingerprint)}`,
    ...(set === undefined ? [] : [`    sets: ${text(set)}`]),
    '    when: |',
    ...when.split('\n').map(line => `      ${line}`),
    `    author: ${text(author)}`,
    `    expires: ${text(`${new Date(expires).toISOString().slice(0, 19)}Z`)}`,
    `    reason: ${text(reason)}`,
    '',
  ].join('\n')
}
