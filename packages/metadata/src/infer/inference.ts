import type { ServiceDomain } from '../authoring/service-domains.ts'
import type { Operation } from '../derive/operations.ts'

/** One piece of evidence: the rule, the part of the definition, and the words that matched. */
export interface Evidence {
  readonly rule: string
  readonly from:
    | 'name'
    | 'title'
    | 'description'
    | 'parameter'
    | 'schema'
    | 'output'
    | 'sibling'
    | 'method'
    | 'default'
  readonly text: string
}

/** A judgement with its confidence, from 0 to 1, and its evidence. */
export interface Judgement<T> {
  readonly value: T
  readonly confidence: number
  readonly evidence: readonly Evidence[]
}

/**
 * The hints that a tool's name, description, schema and HTTP method suggest. Inference from words can tighten an
 * undeclared hint but never relax one.
 */
export interface Inference {
  readonly operations: Judgement<readonly Operation[]>
  readonly readOnly: Judgement<boolean>
  readonly destructive: Judgement<boolean>
  readonly idempotent: Judgement<boolean>
  readonly openWorld: Judgement<boolean>
  /** Present only if there is evidence. */
  readonly reversible?: Judgement<boolean>
  readonly egress?: Judgement<boolean>
  readonly sensitive?: Judgement<boolean>
  readonly domains: readonly Judgement<ServiceDomain>[]
}
