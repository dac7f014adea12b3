interface FieldWeight {
  /** The weight of one occurrence, where the body of the description has 1. */
  readonly weight: number
  /** How much a long field dilutes its words: 0 not at all, 1 in proportion. */
  readonly dilution: number
  /** The length, in words, without dilution or boost. */
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
  /** BM25's k1: how slowly further occurrences lose weight. High, because names repeat words of descriptions. */
  readonly saturation: number
  /** score × (1 + this × the share of the tool's name that the query mentions). */
  readonly nameCoverage: number
  /** A word of the thesaurus, relative to the word itself. */
  readonly synonym: number
  /** Filler words ("help", "looking") and the most common verbs ("get", "show"): low, but above zero. */
  readonly filler: number
  /** Words in quotes, angle brackets and addresses are usually arguments and not search terms. */
  readonly argument: number
  /** Two or three words of the query that are one word in the catalog: "file share" and `fileshare`. */
  readonly joined: number
  /** A similar spelling of a word that the catalog does not have. */
  readonly near: number
  /**
   * score × (1 + this × matching domains). On the two shared sets with services, naming the right one gains .009 and
   * .005 of nDCG@10 and naming a wrong one costs .003: twice as much would cost .007 and .018.
   */
  readonly domain: number
  /** score × this when the query is exactly the tool's name or id. */
  readonly named: number
}

/**
 * The rounded centres of flat optima over all shared sets: each may change by a quarter without changing a set's
 * nDCG@10 by more than .02. Chosen without any one of the sets, they still pass that set's threshold. Pivots are
 * constants instead of the catalog's averages, so that the weight of a word in one tool does not depend on other
 * servers, and an update of one server changes only its own tools.
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
