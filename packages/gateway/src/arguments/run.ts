import type { Json } from '../protocol/messages.ts'
import { type Answer, NO, UNKNOWN } from './answer.ts'
import { Budget, COST } from './budget.ts'
import type { Failure, Finding, Step } from './finding.ts'
import type { Rules } from './rules.ts'
import type { Seen } from './seen.ts'

/** Deeper than arguments get (100) even where every level takes four schemas; well within the stack. */
const MAX_DEPTH = 500
/** Where arguments are less deep than this, it is the schema that goes round in circles. */
const DEEP = 20
/** A list of a million wrong items is wrong after this many. */
const MAX_FINDINGS = 100

type CheckNode = (run: Run, value: unknown, node: Node<unknown>) => Answer

/** A schema for a value, and where to note what of the value it looks at, if anybody asks. */
export interface Node<Schema = Json> {
  readonly schema: Schema
  readonly seen: Seen | undefined
}

/** One check of one call's arguments: where it is, what it found, what it may still cost. */
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

  /** Where the value that is being checked stands, as a number of steps. */
  get level(): number {
    return this.#path.length
  }

  check(value: unknown, schema: unknown, seen?: Seen): Answer {
    this.budget.spend(COST.schema)
    if (this.#depth >= MAX_DEPTH) {
      if (this.level >= DEEP) this.budget.fallShort()
      if (seen) seen.isUncertain = true
      return UNKNOWN
    }
    this.#depth += 1
    const answer = this.#checkNode(this, value, { schema, seen })
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

  /** Tries something whose findings count only if the caller hands them back with `report`. */
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
