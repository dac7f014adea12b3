import type { EffectiveHints, HintName, Leg, Sourced } from '@hintgate/metadata'
import type { Facts, ToolFacts } from '../../facts/facts.ts'
import { toCallTime } from './call-time.ts'
import { ConditionFault, Meter } from './meter.ts'
import { type CelValue, toCel } from './to-cel.ts'

// One class for every group of `attributes.ts`: CEL tells the groups apart by their constructors.

export class AgentView {
  readonly id: string
  readonly name: string
  readonly kind: string

  constructor({ id, name, kind }: Facts['agent']) {
    this.id = id
    this.name = name
    this.kind = kind
  }
}

export class ServerView {
  readonly name: string
  readonly trust: string

  constructor({ name, trust }: Facts['server']) {
    this.name = name
    this.trust = trust
  }
}

export class HintView {
  readonly value: boolean
  readonly source: string

  constructor({ value, source }: Sourced<boolean>) {
    this.value = value
    this.source = source
  }
}

export class HintsView implements Readonly<Record<HintName, HintView>> {
  readonly readOnly: HintView
  readonly destructive: HintView
  readonly idempotent: HintView
  readonly openWorld: HintView
  readonly reversible: HintView
  readonly egress: HintView
  readonly sensitive: HintView

  constructor(hints: EffectiveHints) {
    this.readOnly = new HintView(hints.readOnly)
    this.destructive = new HintView(hints.destructive)
    this.idempotent = new HintView(hints.idempotent)
    this.openWorld = new HintView(hints.openWorld)
    this.reversible = new HintView(hints.reversible)
    this.egress = new HintView(hints.egress)
    this.sensitive = new HintView(hints.sensitive)
  }
}

export class ToolView {
  readonly name: string
  readonly title: string
  readonly variant: string
  readonly category: string
  readonly risk: bigint
  readonly operations: readonly string[]
  readonly domains: readonly string[]
  readonly hints: HintsView

  constructor({ name, title, variant, category, riskLevel, effective }: ToolFacts) {
    this.name = name
    this.title = title
    this.variant = variant.replace('call_tool_', '')
    this.category = category
    this.risk = BigInt(riskLevel)
    this.operations = effective.operations.value
    this.domains = effective.serviceDomains.value
    this.hints = new HintsView(effective)
  }
}

export class IntentView {
  readonly operation_type: string
  readonly data_sensitivity: string
  readonly reason: string

  constructor(intent: Facts['intent']) {
    this.operation_type = intent?.operation_type ?? ''
    this.data_sensitivity = intent?.data_sensitivity ?? ''
    this.reason = intent?.reason ?? ''
  }
}

export class SessionView {
  readonly id: string
  readonly private_data: string
  readonly untrusted_content: string
  readonly way_out: string

  constructor({ id, legs }: Facts['session']) {
    const basisOf = (leg: Leg): string => legs[leg]?.basis ?? 'none'
    this.id = id
    this.private_data = basisOf('private_data')
    this.untrusted_content = basisOf('untrusted_content')
    this.way_out = basisOf('way_out')
  }
}

/** The variables of a condition, each made when the first condition asks for it. */
export class CallView {
  readonly tool: ToolView
  readonly meter = new Meter()
  readonly #facts: Facts
  #agent: AgentView | undefined
  #server: ServerView | undefined
  #intent: IntentView | undefined
  #session: SessionView | undefined
  #args: CelValue | ConditionFault | undefined
  #now: Date | undefined

  constructor(facts: Facts, tool: ToolView) {
    this.#facts = facts
    this.tool = tool
  }

  get agent(): AgentView {
    this.#agent ??= new AgentView(this.#facts.agent)
    return this.#agent
  }

  get server(): ServerView {
    this.#server ??= new ServerView(this.#facts.server)
    return this.#server
  }

  get intent(): IntentView {
    if (this.#intent === undefined) {
      this.#intent = new IntentView(this.#facts.intent)
      this.meter.weight += this.#intent.reason.length
    }
    return this.#intent
  }

  get session(): SessionView {
    this.#session ??= new SessionView(this.#facts.session)
    return this.#session
  }

  get args(): CelValue {
    this.#args ??= this.#convertArgs()
    if (this.#args instanceof ConditionFault) throw this.#args
    return this.#args
  }

  /** A fault is kept, too: every rule that mentions the arguments would else find it anew. */
  #convertArgs(): CelValue | ConditionFault {
    try {
      return toCel(this.#facts.args, this.meter)
    } catch (error) {
      if (error instanceof ConditionFault) return error
      throw error
    }
  }

  get now(): Date {
    this.#now ??= toCallTime(this.#facts.now)
    return this.#now
  }
}
