import { setTimeout as sleep } from 'node:timers/promises'
import { comeBack, questionOf, YES } from '../support/confirming.ts'
import { type Json, type Message, ModernClient, refusalOf } from '../support/raw-mcp.ts'

type Kind = 'read' | 'write' | 'destructive'

/** One call as its client knows it. */
interface Made {
  readonly id: string
  readonly kind: Kind
  readonly server: string
  /** The server's answer reached the client. */
  isAnswered: boolean
  /** With what an approved call was sent. */
  requestState?: string
}

export interface Target {
  readonly server: string
  readonly url: string
  /** What the server calls its tools. */
  readonly tools: Readonly<Record<Kind, string>>
}

const WORKERS = 12
const ASKABLE = { elicitation: { form: {} } }

/** Clients that call without a pause, until their gateway is gone, and remember what they were told. */
export class Load {
  readonly made: Made[] = []
  readonly #targets: readonly Target[]
  readonly #token: string
  readonly #prefix: string
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

  /** Sends everything that was approved once more, with the approval that it had. */
  async repeatApproved(targets: readonly Target[]): Promise<void> {
    for (const { id, kind, server, requestState } of this.made) {
      const target = targets.find(other => other.server === server)
      if (kind !== 'destructive' || requestState === undefined || target === undefined) continue
      const client = new ModernClient(target.url, this.#token, ASKABLE)
      await comeBack(client, { name: target.tools[kind], args: { id }, requestState, answer: YES })
    }
  }

  async #work(worker: number): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const target = this.#targets[count % this.#targets.length]
      const kind = (['write', 'read', 'destructive', 'write'] as const)[(count + worker) % 4]
      if (target === undefined || kind === undefined) return
      const id = `${this.#prefix}-${worker}-${count}`
      const made: Made = { id, kind, server: target.server, isAnswered: false }
      this.made.push(made)
      try {
        made.isAnswered = isDone(await this.#call(made, target))
      } catch {
        // The gateway is gone; so are the others.
        return
      }
      await sleep(Math.random() * 4)
    }
  }

  async #call(made: Made, { url, tools }: Target): Promise<Message> {
    const client = new ModernClient(url, this.#token, ASKABLE)
    const [name, args] = [tools[made.kind], { id: made.id }]
    const first = await client.call(name, args)
    if (made.kind !== 'destructive') return first
    const { requestState } = questionOf(first)
    made.requestState = requestState
    return comeBack(client, { name, args, requestState, answer: YES })
  }
}

function isDone(message: Message): boolean {
  const { result } = message
  const isAsking = (result as Json | undefined)?.resultType === 'input_required'
  return result !== undefined && !isAsking && refusalOf(message) === undefined
}
