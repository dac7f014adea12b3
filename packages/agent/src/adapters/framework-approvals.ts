import { canonicalJson } from '@hintgate/metadata'
import type { AgentClient } from '../agent-client.ts'
import { CHANGED_RULE, type Judgement } from '../call/judge-call.ts'

/** A call as a framework identifies it. */
export interface FrameworkCall {
  readonly tool: string
  readonly args: unknown
  readonly callId: string
}

/** Maximum number of calls that are remembered. */
const MOST = 10_000

/**
 * The calls about which a framework asked people, with the reasons for asking. An approval covers the reasons given at
 * the first question, and is valid only once.
 */
export class FrameworkApprovals {
  readonly #agent: AgentClient
  readonly #asked = new Map<string, Judgement>()
  readonly #used = new Set<string>()

  constructor(agent: AgentClient) {
    this.#agent = agent
  }

  /**
   * Returns whether a call needs approval, for a framework's hook. For a call that was already asked about, the result
   * does not change.
   */
  async isNeeded(call: FrameworkCall): Promise<boolean> {
    const key = keyOf(call)
    if (this.#asked.has(key)) return true
    const judgement = await this.#agent.judge(call.tool, call.args)
    if (judgement.verdict !== 'confirm') return false
    this.#asked.set(key, judgement)
    forgetOldest(this.#asked)
    return true
  }

  /**
   * Returns the judgement that the framework's approval covers. If the framework asked about a call, it runs the call
   * only after approval.
   */
  take(call: FrameworkCall): Judgement | undefined {
    const key = keyOf(call)
    const asked = this.#asked.get(key)
    this.#asked.delete(key)
    if (asked === undefined || this.#used.has(key)) return undefined
    this.#used.add(key)
    forgetOldest(this.#used)
    return asked
  }

  /**
   * Returns the judgement that an approval given elsewhere covers. Such an approval is older than this session, so it
   * cannot cover anything that changed in the session.
   */
  async takeStanding(call: FrameworkCall): Promise<Judgement | undefined> {
    const judgement = await this.#agent.judge(call.tool, call.args)
    return judgement.reasons.some(({ rule }) => rule === CHANGED_RULE) ? undefined : judgement
  }
}

/**
 * Returns a key for a call. The call id alone is not enough, because some models number their calls from zero in every
 * answer.
 */
function keyOf({ tool, args, callId }: FrameworkCall): string {
  return canonicalJson([tool, callId, args ?? null])
}

function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size <= MOST) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
