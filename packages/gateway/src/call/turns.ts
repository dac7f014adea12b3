import type { Classified } from '../exchange/classified.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

interface Place {
  readonly isAlone: boolean
  readonly grant: (isGranted: boolean) => void
}

/** One session at one server: who runs, and who waits in the order of coming. */
interface Line {
  running: number
  isTakenAlone: boolean
  readonly waiting: Place[]
}

/** Gives a turn back. */
export type Leave = () => void

/**
 * For servers with `parallel: "exclusive-writes"`: within a session reads run together, and everything else runs alone,
 * in the order of coming, so that a read after a write sees what was written.
 */
export class Turns {
  readonly #lines = new Map<string, Line>()

  /** Undefined: no turn is needed. Otherwise how to give it back, or `cancelled` when the caller left the line. */
  take({ call, variant }: Classified, { config }: UpstreamServer): undefined | Promise<Leave | 'cancelled'> {
    if (config.parallel === 'free') return undefined
    const { caller } = call.exchange
    const key = `${config.name} ${caller.session}`
    const line = this.#lines.get(key) ?? { running: 0, isTakenAlone: false, waiting: [] }
    this.#lines.set(key, line)
    return new Promise(resolve => {
      const isAlone = variant !== 'call_tool_read'
      const place: Place = {
        isAlone,
        grant: isGranted => resolve(isGranted ? () => this.#leave(key, line) : 'cancelled'),
      }
      line.waiting.push(place)
      call.exchange.onCancel(() => {
        const at = line.waiting.indexOf(place)
        if (at < 0) return
        line.waiting.splice(at, 1)
        place.grant(false)
        this.#moveUp(key, line)
      })
      this.#moveUp(key, line)
    })
  }

  #leave(key: string, line: Line): void {
    line.running -= 1
    line.isTakenAlone = false
    this.#moveUp(key, line)
  }

  #moveUp(key: string, line: Line): void {
    for (let next = line.waiting[0]; next !== undefined; next = line.waiting[0]) {
      const mayRun = !line.isTakenAlone && (line.running === 0 || !next.isAlone)
      if (!mayRun) return
      line.waiting.shift()
      line.running += 1
      line.isTakenAlone = next.isAlone
      next.grant(true)
    }
    if (line.running === 0) this.#lines.delete(key)
  }
}
