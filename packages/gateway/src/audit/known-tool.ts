import { type Assessment, type CallVariant, HINT_NAMES } from '@hintgate/metadata'
import type { OriginFacts } from '../policy/facts/facts.ts'
import type { KnownTool, RecordedOrigin } from './entry.ts'

interface Tool {
  readonly fingerprint: string
  readonly assessment: Assessment
}

/** The log's data about each tool. It is created at the tool's first call and kept as long as the tool's definition. */
const known = new WeakMap<Tool, KnownTool[]>()

/**
 * Returns the log's data about a tool. It is the same object each time, so that rows can share what they have in
 * common.
 */
export function knownTool(tool: Tool, variant: CallVariant): KnownTool {
  const variants = known.get(tool) ?? []
  const found = variants.find(one => one.variant === variant)
  if (found !== undefined) return found
  const made = { ...describeTool(tool), variant }
  known.set(tool, [...variants, made])
  return made
}

function describeTool({ fingerprint, assessment }: Tool): KnownTool {
  const { variant, title, effective, declared } = assessment
  const hints = HINT_NAMES.map(name => {
    const { value, source } = effective[name]
    return `${name}${value ? '+' : '-'}${source}`
  })
  return { fingerprint, variant, hints: hints.join(' '), title, action: declared.action }
}

/** Returns an origin without its passage and the values in it. */
export function recordedOrigin(origin: OriginFacts | undefined): RecordedOrigin | undefined {
  if (origin === undefined) return undefined
  const { kind, argument, server, tool, request, at } = origin
  return { kind, argument, server, tool, request, at }
}
