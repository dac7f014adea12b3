/**
 * A tool as a server sends it. Only `name` is relied on; everything else is the server's word and may be of
 * any type, so readers check before they use it. Unknown fields are kept.
 */
export interface ToolDefinition {
  readonly name: string
  readonly title?: unknown
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  readonly annotations?: unknown
  readonly _meta?: unknown
  readonly [field: string]: unknown
}
