import type { ServiceDomain } from '../authoring/service-domains.ts'
import type { Operation } from '../derive/operations.ts'

/** One reason for a judgement: which rule spoke, where it looked, and the words that gave it away. */
export interface Evidence {
  readonly rule: string
  readonly from: 'name' | 'title' | 'description' | 'parameter' | 'schema' | 'output' | 'sibling' | 'default'
  readonly text: string
}

/** A judgement is never bare: it carries how sure it is (0 to 1) and why. */
export interface Judgement<T> {
  readonly value: T
  readonly confidence: number
  readonly evidence: readonly Evidence[]
}

/** What name, description and schema suggest of a tool. It may tighten an undeclared hint, never relax one. */
export interface Inference {
  readonly operations: Judgement<readonly Operation[]>
  readonly readOnly: Judgement<boolean>
  readonly destructive: Judgement<boolean>
  readonly idempotent: Judgement<boolean>
  readonly openWorld: Judgement<boolean>
  /** Present only where there is something to go by. */
  readonly reversible?: Judgement<boolean>
  readonly egress?: Judgement<boolean>
  readonly sensitive?: Judgement<boolean>
  readonly domains: readonly Judgement<ServiceDomain>[]
}
