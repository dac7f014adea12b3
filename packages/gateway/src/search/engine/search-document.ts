/** What the search knows of one tool. Everything in it may come from a hostile server: it is data with caps. */
export interface SearchDocument {
  /** `server:tool`; unique in the index. */
  readonly id: string
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: unknown
  readonly domains: readonly string[]
  readonly tags: readonly string[]
}
