import { HINT_NAMES, type RiskFactor } from '@hintgate/metadata'
import type { Facts, ToolFacts } from '../../facts/facts.ts'
import { GROUPS, HINT, HINTS } from './attributes.ts'
import { ConditionFault, Meter } from './meter.ts'
import { type CelValue, toCallTime, toCel } from './to-cel.ts'

/** Returns a tool in the form that conditions see. It is the same for all calls to that tool. */
export function viewTool(tool: ToolFacts): object {
  const { kind = 'tool', name, title, variant, category, riskLevel, effective } = tool
  const hints = HINT_NAMES.map(hint => {
    const { value, source } = effective[hint]
    return [hint, new HINT.View({ value, source })]
  })
  return new GROUPS.tool.View({
    kind,
    name,
    title,
    variant: variant.replace('call_tool_', ''),
    category,
    risk: BigInt(riskLevel),
    operations: effective.operations.value,
    domains: effective.serviceDomains.value,
    hints: new HINTS.View(Object.fromEntries(hints)),
  })
}

/** The variables that conditions can read. Each is created when a condition first reads it. */
export class CallView {
  readonly tool: object
  readonly meter = new Meter()
  readonly #facts: Facts
  #agent: object | undefined
  #server: object | undefined
  #call: object | undefined
  #intent: object | undefined
  #session: object | undefined
  #args: CelValue | ConditionFault | undefined
  #now: Date | undefined

  constructor(facts: Facts, tool: object) {
    this.#facts = facts
    this.tool = tool
  }

  get agent(): object {
    const { id, name, kind } = this.#facts.agent
    this.#agent ??= new GROUPS.agent.View({ id, name, kind })
    return this.#agent
  }

  get server(): object {
    const { name, trust } = this.#facts.server
    this.#server ??= new GROUPS.server.View({ name, trust })
    return this.#server
  }

  get call(): object {
    if (this.#call === undefined) {
      const { tool, origin, set } = this.#facts
      this.#call = new GROUPS.call.View({
        consequence: tool.consequence.kinds,
        targets: tool.consequence.targets,
        origin: origin?.kind ?? '',
        argument: origin?.argument ?? '',
        origin_server: origin?.server ?? '',
        origin_tool: origin?.tool ?? '',
        set: set ?? '',
      })
    }
    return this.#call
  }

  get intent(): object {
    if (this.#intent === undefined) {
      const { operation_type = '', data_sensitivity = '', reason = '' } = this.#facts.intent ?? {}
      this.#intent = new GROUPS.intent.View({ operation_type, data_sensitivity, reason })
      this.meter.weight += reason.length
    }
    return this.#intent
  }

  get session(): object {
    const { id, riskFactors } = this.#facts.session
    const basisOf = (factor: RiskFactor): string => riskFactors[factor]?.basis ?? 'none'
    this.#session ??= new GROUPS.session.View({
      id,
      private_data: basisOf('private_data'),
      untrusted_content: basisOf('untrusted_content'),
      external_communication: basisOf('external_communication'),
      way_out: basisOf('external_communication'),
    })
    return this.#session
  }

  get args(): CelValue {
    this.#args ??= this.#convertArgs()
    if (this.#args instanceof ConditionFault) throw this.#args
    return this.#args
  }

  /**
   * Converts the arguments, or returns why that is not possible. A fault is cached as well; otherwise every rule that
   * reads the arguments would try to convert them again.
   */
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
