import type { Json } from '../protocol/messages.ts'
import { Budget, COST } from './budget.ts'
import { type Answer, NO, UNKNOWN } from './kinds.ts'
import { Patterns } from './patterns.ts'
import { References } from './references.ts'

export type Step = string | number

/** One thing that does not fit, as the check saw it; words come later, and only for the one that is shown. */
export interface Finding extends Failure {
  readonly path: readonly Step[]
}

interface Failure {
  readonly keyword: string
  readonly schema: unknown
  readonly value?: unknown
  /** The field that is missing or unknown, or how many there have to be of what it is about. */
  readonly detail?: string | number | undefined
  /** What is wrong in each alternative, where none is closer than the others. */
  readonly parts?: readonly Finding[] | undefined
}

/** Which fields and items of one value some keyword has looked at: what `unevaluated…` is about. */
export class Seen {
  /** Something that could not be checked may have looked at any of them. */
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

  merge(other: Seen): void {
    this.isUncertain ||= other.isUncertain
    this.#hasAllFields ||= other.#hasAllFields
    this.addItemsBefore(other.#itemsBefore)
    for (const name of other.#fields) this.#fields.add(name)
    for (const index of other.#items) this.#items.add(index)
  }
}

/** What is known of one tool's schema, kept from call to call. */
export interface Rules {
  readonly references: References
  readonly patterns: Patterns
  /** Up to draft 7 a `$ref` stood alone. */
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
