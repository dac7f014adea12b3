type Json = { readonly [key: string]: unknown }

/**
 * The tools in a document of any of the usual shapes: an array, a `tools/list` result (bare or in its JSON-RPC
 * answer), an mcpb/dxt manifest, or a single definition. Undefined when it is none of them.
 */
export function findTools(document: unknown): readonly unknown[] | undefined {
  if (Array.isArray(document)) return document
  if (!isObject(document)) return undefined
  if (Array.isArray(document.tools)) return document.tools
  if (isObject(document.result)) return findTools(document.result)
  if (isManifest(document)) return []
  return typeof document.name === 'string' && 'inputSchema' in document ? [document] : undefined
}

/** A bundle's manifest may leave its tools out when the server makes them up at run time. */
function isManifest(document: Json): boolean {
  return 'manifest_version' in document || 'dxt_version' in document
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
