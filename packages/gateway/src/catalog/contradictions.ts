import { type Assessment, HINTS, type HintName, type Override, SPEC_HINTS } from '@hintgate/metadata'

/** A hint by which a tool promises what its own words deny: read-only, and named `delete_*`. */
export interface Contradiction {
  /** On the wire. */
  readonly hint: string
  readonly text: string
}

const CODE = 'declared-contradicts-inferred'

/** Those of a tool that nobody has settled: who overrides a hint has answered the question. */
export function findContradictions(
  { findings }: Pick<Assessment, 'findings'>,
  override?: Override,
): readonly Contradiction[] {
  return findings
    .filter(({ code }) => code === CODE)
    .flatMap(({ path, message }) => {
      const hint = SPEC_HINTS.find(name => path === `annotations.${HINTS[name].wire}`)
      return hint === undefined || isSettled(hint, override)
        ? []
        : [{ hint: HINTS[hint].wire, text: message }]
    })
}

function isSettled(hint: HintName, override: Override | undefined): boolean {
  return override?.hints[hint] !== undefined
}
