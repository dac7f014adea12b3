/**
 * A tool as a server sends it. Only `name` is guaranteed. All other fields are untrusted and can have any type, so code
 * must check them before use. Unknown fields are kept.
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
