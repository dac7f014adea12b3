/**
 * A kind of secret that is known by its shape. A pattern starts with a literal, repeats nothing that repeats,
 * and every repetition has an upper bound, so its time grows with the text and with nothing else.
 */
export interface SecretRule {
  readonly id: string
  /** One of these, of two characters at least, stands in every match: looked for first, in one pass for all rules. */
  readonly hints?: readonly string[]
  /**
   * How many characters of a match stand before its hint, the most first: the rule is tried there alone. None unless told;
   * `anywhere` costs a search of the whole text as soon as the hint stands in it.
   */
  readonly hintAt?: readonly number[] | 'anywhere'
  /** For a rule without a hint: how many characters without a blank its match has at least. */
  readonly minRun?: number
  /**
   * Global. The whole match, or its first group where it has one, is the secret. A group `head` is what was read
   * backwards from the match, and belongs to the secret too.
   */
  readonly pattern: RegExp
  readonly confidence: number
  /** Bits a character that the secret must have: sample keys made of one letter have none. */
  readonly entropy?: number
  /** What else must hold, such as a checksum; a number replaces the confidence. */
  readonly judge?: (secret: string) => boolean | number
}

const ALNUM = 'A-Za-z0-9'

/** What follows a prefix: which characters, how many at least and at most. */
interface Body {
  readonly of?: string
  readonly min: number
  readonly max?: number
}

/** A pattern for tokens that begin with a prefix of their own. A longer run of the same characters is no token. */
export function startingWith(prefix: string, { of = ALNUM, min, max }: Body): RegExp {
  const exact = max === undefined ? `{${min}}` : `{${min},${max}}`
  return new RegExp(`(?<![${ALNUM}])${prefix}[${of}]${exact}(?![${of}])`, 'g')
}

/** The rule for a token whose prefix is a literal. */
export function prefixed(id: string, prefix: string, body: Body): SecretRule {
  const pattern = startingWith(prefix.replaceAll('.', '\\.'), body)
  return { id, hints: [prefix], pattern, confidence: 0.95, entropy: 2.5 }
}
