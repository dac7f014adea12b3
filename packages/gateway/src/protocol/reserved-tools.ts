/** The names of the gateway's own tools. No server's tool may be offered under one of them. */
export const RESERVED_TOOL_NAMES: ReadonlySet<string> = new Set([
  'retrieve_tools',
  'describe_tool',
  'call_tool_read',
  'call_tool_write',
  'call_tool_destructive',
  'call_tools_read',
  'read_result',
])
