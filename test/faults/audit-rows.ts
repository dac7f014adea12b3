import { openStore } from '../../packages/gateway/src/store/open/open-store.ts'
import type { Json } from '../support/raw-mcp.ts'

/** Reads from the audit log what happened to calls, by the id in their arguments. */
export class AuditRows {
  readonly intents = new Set<string>()
  readonly endings = new Map<string, string[]>()
  count = 0
  readonly #url: string
  /** The id in the arguments, by request id. */
  readonly #ids = new Map<string, string>()
  #cursor: string | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Reads new rows; returns the calls that have not ended. */
  async read(): Promise<readonly string[]> {
    const store = await openStore(this.#url)
    try {
      for (;;) {
        const { rows, cursor } = await store.audit.read(this.#cursor, 5000)
        if (rows.length === 0) break
        for (const row of rows) this.#take(row)
        this.#cursor = cursor
      }
      return (await store.audit.open()).map(({ request }) => this.#ids.get(request) ?? request)
    } finally {
      await store.close()
    }
  }

  #take({
    kind,
    request,
    outcome,
    body,
  }: {
    kind: string
    request: string
    outcome: string
    body: string
  }): void {
    this.count += 1
    const { args } = JSON.parse(body) as { args?: Json }
    if (typeof args?.id === 'string') this.#ids.set(request, args.id)
    const id = this.#ids.get(request)
    if (id === undefined) return
    if (kind === 'intent') this.intents.add(id)
    else this.endings.set(id, [...(this.endings.get(id) ?? []), outcome])
  }
}
