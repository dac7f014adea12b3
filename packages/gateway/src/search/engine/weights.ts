interface FieldWeight {
  /** How much one occurrence counts, against 1 in the body of the description. */
  readonly weight: number
  /** How far a long field dilutes its words: 0 not at all, 1 in proportion. */
  readonly dilution: number
  /** The length, in words, at which nothing is diluted or strengthened. */
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
  /** BM25's k1: how slowly further occurrences stop counting. High, since names repeat what descriptions say. */
  readonly saturation: number
  /** score × (1 + this × the share of the tool's name that the query speaks of). */
  readonly nameCoverage: number
  /** A word of the thesaurus, against the word itself. */
  readonly synonym: number
  /** Words of courtesy ("help", "looking") and the commonest verbs ("get", "show"): weak, not worthless. */
  readonly filler: number
  /** Words inside quotes, angle brackets and addresses are arguments more often than wishes. */
  readonly argument: number
  /** Two or three words of the query that are one word in the catalog: "file share" and `fileshare`. */
  readonly joined: number
  /** A near spelling of a word that the catalog does not know. */
  readonly near: number
  /**
   * score × (1 + this × matching domains). On the two shared sets with services, naming the right one gains .009 and
   * .005 of nDCG@10 and naming a wrong one costs .003: twice as much would cost .007 and .018.
   */
  readonly domain: number
  /** score × this when the query is the tool's name or id, letter for letter. */
  readonly named: number
}

/**
 * The middle of flat optima over all shared sets, rounded: each may move by a quarter and no set's nDCG@10 moves
 * by two hundredths. Chosen without any one of the sets they still pass that set's bar. Pivots are constants, not the catalog's averages, so that what a word weighs in one tool
 * does not depend on other servers, and an update of one server touches only its own tools.
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
