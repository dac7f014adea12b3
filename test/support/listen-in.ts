import type { Json } from './raw-mcp.ts'

/**
 * Collects all progress that reaches an SDK client; the clients drop progress that arrives together with the result.
 */
export function listenIn(transport: unknown): readonly Json[] {
  const tapped = transport as { onmessage?: (message: Json, ...rest: unknown[]) => void }
  const { onmessage } = tapped
  const heard: Json[] = []
  tapped.onmessage = (message, ...rest) => {
    if (message.method === 'notifications/progress') heard.push(message.params as Json)
    onmessage?.call(transport, message, ...rest)
  }
  return heard
}
