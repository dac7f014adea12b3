import type { ScanContext } from '@hintgate/metadata'
import type { Desk } from '../../catalog/review/desk.ts'
import { idOf, type ReviewItem } from '../../catalog/review/review-item.ts'
import { scanDefinition, surroundingsOf } from '../../catalog/review/scan-definition.ts'

/** How much the scanner found in the definitions on a desk; each is looked at once. */
export class ScanCounts {
  readonly #desk: Desk
  readonly #contexts = new Map<string, ScanContext>()
  readonly #counts = new Map<string, number>()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** What surrounds the definitions of a server. */
  contextOf(server: string): ScanContext {
    const context = this.#contexts.get(server) ?? surroundingsOf(server, this.#desk.known)
    this.#contexts.set(server, context)
    return context
  }

  countOf(item: ReviewItem): number {
    const id = idOf(item.stored)
    const known = this.#counts.get(id)
    if (known !== undefined) return known
    const count = scanDefinition(item.definition, this.contextOf(item.stored.server)).length
    this.#counts.set(id, count)
    return count
  }
}
