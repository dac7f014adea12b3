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
