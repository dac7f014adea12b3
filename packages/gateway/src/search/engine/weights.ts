interface FieldWeight {
  /** The weight of one occurrence of a word in this field. In the body of the description, it is 1. */
  readonly weight: number
  /** How much a long field reduces the weight of its words: 0 means not at all, 1 means in proportion to its length. */
  readonly dilution: number
  /** The length of the field, in words, at which the weight is neither reduced nor raised. */
  readonly pivot: number
}

export type FieldName =
  | 'name'
  | 'title'
  | 'firstSentence'
  | 'description'
  | 'parameterNames'
  | 'parameterDescriptions'
  | 'server'
  | 'labels'

export interface Weights {
  readonly fields: Readonly<Record<FieldName, FieldWeight>>
  /**
   * The parameter k1 of BM25, which says how slowly additional occurrences lose weight. It is high because a tool's
   * name and description often share words.
   */
  readonly saturation: number
  /** The score is multiplied by 1 + this × the share of the tool's name that the query mentions. */
  readonly nameCoverage: number
  /** The weight of a related word from the thesaurus, relative to the word itself. */
  readonly synonym: number
  /**
   * The weight of filler words ("help", "looking") and of the most common verbs ("get", "show"): low, but above zero.
   */
  readonly filler: number
  /** The weight of words in quotes, angle brackets and URLs, which are usually arguments and not search terms. */
  readonly argument: number
  /** The weight of words that the query and the catalog split differently, such as "file share" and `fileshare`. */
  readonly joined: number
  /** The weight of a similar spelling of a word that the catalog does not have. */
  readonly near: number
  /**
   * The score is multiplied by 1 + this × the number of matching domains. On the two shared sets with services, naming
   * the right domain gains .009 and .005 of nDCG@10, and naming a wrong domain costs .003. Twice this weight would cost
   * .007 and .018.
   */
  readonly domain: number
  /** The score is multiplied by this factor if the query is exactly the tool's name or id. */
  readonly named: number
}

/**
 * Each value is the rounded centre of a flat optimum over all shared evaluation sets: it can change by a quarter
 * without changing any set's nDCG@10 by more than .02. If the values are chosen without one of the sets, they still
 * pass that set's threshold. Pivots are constants instead of averages over the catalog. Therefore the weight of a word
 * in one tool does not depend on other servers, and an update of one server changes only that server's tools.
 */
export const WEIGHTS: Weights = {
  fields: {
    name: { weight: 4, dilution: 0.5, pivot: 3 },
    title: { weight: 2, dilution: 0.5, pivot: 3 },
    firstSentence: { weight: 2, dilution: 0.5, pivot: 12 },
    description: { weight: 1, dilution: 0.5, pivot: 25 },
    parameterNames: { weight: 0.7, dilution: 0.5, pivot: 6 },
    parameterDescriptions: { weight: 0.3, dilution: 0.5, pivot: 50 },
    server: { weight: 0.7, dilution: 0, pivot: 2 },
    labels: { weight: 1, dilution: 0, pivot: 3 },
  },
  saturation: 4,
  nameCoverage: 0.4,
  synonym: 0.5,
  filler: 0.4,
  argument: 0.5,
  joined: 0.7,
  near: 0.4,
  domain: 0.5,
  named: 10,
}
