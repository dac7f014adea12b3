import { setTimeout as sleep } from 'node:timers/promises'
import { comeBack, questionOf, YES } from '../support/confirming.ts'
import { type Json, type Message, ModernClient, refusalOf } from '../support/raw-mcp.ts'

type Kind = 'read' | 'write' | 'destructive'

/** One call as its client knows it. */
interface Made {
  readonly id: string
  readonly kind: Kind
  readonly target: Target
  /** The server's answer reached the client. */
  isAnswered: boolean
  /** The state that an approved call was sent with. */
  requestState?: string
}

/** A server behind one of the gateways. */
export interface Target {
  readonly gateway: string
  readonly server: string
  /** The names of the tools at this server, by kind. */
  readonly tools: Readonly<Record<Kind, string>>
}

const WORKERS = 12
const ASKABLE = { elicitation: { form: {} } }

/** Clients that call without pauses until all gateways are gone, and record the answers. */
export class Load {
  readonly made: Made[] = []
  readonly #targets: readonly Target[]
  readonly #token: string
  readonly #prefix: string
  readonly #gone = new Set<string>()
  #isOver = false

  constructor(targets: readonly Target[], token: string, prefix: string) {
    this.#targets = targets
    this.#token = token
    this.#prefix = prefix
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => this.#work(worker)))
  }

  stop(): void {
    this.#isOver = true
  }

  /** Repeats every approved call with its used approval, on every gateway. */
  async repeatApproved(targets: readonly Target[]): Promise<void> {
    for (const made of this.made) {
      if (made.requestState === undefined) continue
      for (const target of targets)
        if (target.server === made.target.server) await this.#comeBack(made, target, made.requestState)
    }
  }

  async #work(worker: number): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const left = this.#targets.filter(({ gateway }) => !this.#gone.has(gateway))
      const target = left[(count + worker) % left.length]
      const kind = (['write', 'read', 'destructive', 'write'] as const)[(count + worker) % 4]
      if (target === undefined || kind === undefined) return
      const made: Made = { id: `${this.#prefix}-${worker}-${count}`, kind, target, isAnswered: false }
      this.made.push(made)
      try {
        made.isAnswered = await this.#call(made)
      } catch {
        this.#gone.add(target.gateway)
      }
      await sleep(Math.random() * 4)
    }
  }

  async #call(made: Made): Promise<boolean> {
    const { target, kind, id } = made
    const first = await this.#clientOf(target).call(target.tools[kind], { id })
    if (kind !== 'destructive') return isDone(first)
    const { requestState } = questionOf(first)
    made.requestState = requestState
    return this.#spend(made, requestState)
  }

  /** Sends one approval to all gateways at once; at most one may execute it. */
  async #spend(made: Made, requestState: string): Promise<boolean> {
    const ways = this.#targets.filter(
      ({ gateway, server }) => server === made.target.server && !this.#gone.has(gateway),
    )
    const answers = await Promise.allSettled(ways.map(way => this.#comeBack(made, way, requestState)))
    answers.forEach(({ status }, at) => {
      const gateway = ways[at]?.gateway
      if (status === 'rejected' && gateway !== undefined) this.#gone.add(gateway)
    })
    return answers.some(answer => answer.status === 'fulfilled' && isDone(answer.value))
  }

  #comeBack({ kind, id }: Made, target: Target, requestState: string): Promise<Message> {
    const again = { name: target.tools[kind], args: { id }, requestState, answer: YES }
    return comeBack(this.#clientOf(target), again)
  }

  #clientOf({ gateway, server }: Target): ModernClient {
    return new ModernClient(`${gateway}/mcp/servers/${server}`, this.#token, ASKABLE)
  }
}

function isDone(message: Message): boolean {
  const { result } = message
  const isAsking = (result as Json | undefined)?.resultType === 'input_required'
  return result !== undefined && !isAsking && refusalOf(message) === undefined
}
