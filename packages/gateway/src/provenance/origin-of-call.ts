import { type Assessment, consequencesOfVerb, type ToolDefinition } from '@hintgate/metadata'
import type { OriginFacts } from '../policy/facts/facts.ts'
import { findLead, findOrigin, type ReadSoFar, type SoughtCall } from './find-origin.ts'
import { type Asks, bitsOf } from './read-request.ts'

export interface JudgedTool {
  readonly definition: ToolDefinition
  readonly assessment: Assessment
}

interface ToolProfile {
  readonly kinds: Asks
  readonly nouns: readonly string[]
  readonly isRead: boolean
}

const SURE = 0.6
const SMALL_WORDS = new Set('the a an of to in for with by and or from at on id'.split(' '))

const profiles = new WeakMap<Assessment, ToolProfile>()

function profileOf({ definition, assessment }: JudgedTool): ToolProfile {
  const known = profiles.get(assessment)
  if (known !== undefined) return known
  const { effective, inferred, consequence } = assessment
  const words = definition.name.toLowerCase().split(/[^a-z]+/)
  const profile = {
    kinds: bitsOf(consequence.kinds),
    nouns: words.filter(
      word => word !== '' && !SMALL_WORDS.has(word) && consequencesOfVerb(word).length === 0,
    ),
    isRead: effective.readOnly.value || (inferred.readOnly?.value && inferred.readOnly.confidence >= SURE),
  }
  profiles.set(assessment, profile)
  return profile
}

/** Finds the passage that asks for a call to this tool with these arguments, if there is one. */
export function originOfCall(tool: JudgedTool, args: unknown, read: ReadSoFar): OriginFacts | undefined {
  if (read.passages.length === 0) return undefined
  const { kinds, nouns } = profileOf(tool)
  const origin = findOrigin({ args, kinds, nouns }, read)
  if (origin === undefined) return undefined
  const { kind, argument, values, passage } = origin
  const { server, tool: name, request, at } = passage.source
  return { kind, argument, values, server, tool: name, request, at, passage: passage.excerpt }
}

/**
 * Returns the kinds of calls that were requested by the passage that led to this call. The result of this call then
 * counts as part of that request.
 */
export function leadOfCall(
  call: Pick<SoughtCall, 'args'> & { readonly tool: string },
  read: ReadSoFar,
): Asks {
  return findLead(call, read)?.near ?? 0
}

/** Whether, as far as is known, the tool only reads and no argument is an address that could receive data. */
export function isPlainRead(tool: JudgedTool, args: unknown): boolean {
  return profileOf(tool).isRead && !hasAddress(args)
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\//i
const DEEPEST = 20

function hasAddress(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return ADDRESS.test(value.trim())
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return Object.values(value).some(each => hasAddress(each, depth + 1))
}
