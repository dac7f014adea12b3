import type { Json } from '../protocol/messages.ts'
import { Budget, COST } from './budget.ts'
import { type Answer, NO, UNKNOWN } from './kinds.ts'
import { Patterns } from './patterns.ts'
import { References } from './references.ts'

export type Step = string | number

/**
 * A keyword that the value does not satisfy. It has no text, because `describeFinding` describes only the finding that
 * is shown.
 */
export interface Finding extends Failure {
  readonly path: readonly Step[]
}

interface Failure {
  readonly keyword: string
  readonly schema: unknown
  readonly value?: unknown
  /** The name of the missing or unknown field, or a number that the finding's description contains. */
  readonly detail?: string | number | undefined
  /** The finding for each alternative, if no alternative is closer than the others. */
  readonly parts?: readonly Finding[] | undefined
}

/** The fields and items of one value that some keyword has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  /** True if a schema that cannot be checked might have evaluated some of them. */
  isUncertain = false
  #hasAllFields = false
  #itemsBefore = 0
  readonly #fields = new Set<string>()
  readonly #items = new Set<number>()

  addField(name: string): void {
    this.#fields.add(name)
  }

  addAllFields(): void {
    this.#hasAllFields = true
  }

  addItem(index: number): void {
    this.#items.add(index)
  }

  addItemsBefore(index: number): void {
    this.#itemsBefore = Math.max(this.#itemsBefore, index)
  }

  hasField(name: string): boolean {
    return this.#hasAllFields || this.#fields.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.#itemsBefore || this.#items.has(index)
  }

  merge(other: Evaluated): void {
    this.isUncertain ||= other.isUncertain
    this.#hasAllFields ||= other.#hasAllFields
    this.addItemsBefore(other.#itemsBefore)
    for (const name of other.#fields) this.#fields.add(name)
    for (const index of other.#items) this.#items.add(index)
  }
}

/** One tool's schema with everything that is prepared for checking it, kept between calls. */
export interface Rules {
  readonly references: References
  readonly patterns: Patterns
  /** Up to draft 7, keywords next to a `$ref` are ignored. */
  readonly ignoresBesideRef: boolean
}

const UP_TO_DRAFT_7 = /draft-0[1-7]/

export function readRules(schema: Json): Rules {
  return {
    references: new References(schema),
    patterns: new Patterns(),
    ignoresBesideRef: typeof schema.$schema === 'string' && UP_TO_DRAFT_7.test(schema.$schema),
  }
}

/**
 * Maximum depth of the recursion. It is enough for arguments of 100 levels with four schemas per level, and well within
 * the stack.
 */
const MAX_DEPTH = 500
/** Depth of arguments below which deep recursion must be the schema's fault. */
const DEEP = 20
/** Maximum number of findings collected. */
const MAX_FINDINGS = 100

type CheckNode = (run: Run, value: unknown, node: Node<unknown>) => Answer

/** A schema for a value, and the record of evaluated members if it is needed. */
export interface Node<Schema = Json> {
  readonly schema: Schema
  readonly evaluated: Evaluated | undefined
}

/** One check of one call's arguments: its current position, its findings and its remaining budget. */
export class Run {
  readonly rules: Rules
  readonly budget = new Budget()
  readonly #checkNode: CheckNode
  readonly #path: Step[] = []
  #findings: Finding[] = []
  #depth = 0

  constructor(rules: Rules, checkNode: CheckNode) {
    this.rules = rules
    this.#checkNode = checkNode
  }

  get findings(): readonly Finding[] {
    return this.#findings
  }

  /** The depth of the value that is being checked. */
  get level(): number {
    return this.#path.length
  }

  check(value: unknown, schema: unknown, evaluated?: Evaluated): Answer {
    this.budget.spend(COST.schema)
    if (this.#depth >= MAX_DEPTH) {
      if (this.level >= DEEP) this.budget.fallShort()
      if (evaluated) evaluated.isUncertain = true
      return UNKNOWN
    }
    this.#depth += 1
    const answer = this.#checkNode(this, value, { schema, evaluated })
    this.#depth -= 1
    return answer
  }

  checkAt(step: Step, value: unknown, schema: unknown): Answer {
    this.#path.push(step)
    const answer = this.check(value, schema)
    this.#path.pop()
    return answer
  }

  fail({ keyword, schema, value, detail, parts }: Failure): typeof NO {
    this.budget.spend(COST.finding + this.#path.length)
    if (!this.hasEnough)
      this.#findings.push({ keyword, schema, value, detail, parts, path: this.#path.slice() })
    return NO
  }

  /** Runs a check on trial: its findings count only if the calling code passes them to `report`. */
  attempt(trial: () => Answer): { readonly answer: Answer; readonly findings: readonly Finding[] } {
    this.budget.spend(COST.attempt)
    const before = this.#findings
    this.#findings = []
    const answer = trial()
    const findings = this.#findings
    this.#findings = before
    return { answer, findings }
  }

  report(findings: readonly Finding[]): typeof NO {
    this.budget.spend(findings.length)
    for (const finding of findings) if (!this.hasEnough) this.#findings.push(finding)
    return NO
  }

  get hasEnough(): boolean {
    return this.#findings.length >= MAX_FINDINGS
  }
}
