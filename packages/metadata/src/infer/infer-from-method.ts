import { isObject, own, ownString } from '../definition/own-property.ts'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { hintsForHttpMethod, operationForHttpMethod } from '../derive/http-method.ts'
import { HINTS, SPEC_HINTS } from '../hint/hints.ts'
import type { Evidence, Inference, Judgement } from './inference.ts'
import { judge } from './judge.ts'

/** On a tool: the HTTP request that a call makes, as `{ method, path }`. The gateway sets it on tools of an HTTP API. */
export const META_HTTP = 'io.hintgate/http'

type SpecHint = (typeof SPEC_HINTS)[number]

/** Confidence in what RFC 9110 says about a method. Some APIs change data on GET, and their words usually show it. */
const CONFIDENCE = 0.9

/**
 * Adds what the HTTP method suggests to what the words suggest. Where words suggest a stricter hint with at least
 * `sureAt`, they win, because `GET /users/{id}/delete` does delete.
 */
export function inferFromMethod(words: Inference, definition: ToolDefinition, sureAt: number): Inference {
  const method = readMethod(definition)
  const hints = method === undefined ? {} : hintsForHttpMethod(method)
  const operation = method === undefined ? undefined : operationForHttpMethod(method)
  if (method === undefined || operation === undefined) return words
  const reason: Evidence = { rule: `method.${method.toLowerCase()}`, from: 'method', text: method }
  const combined = SPEC_HINTS.map(hint => [
    hint,
    combine(hint, hints[hint], { words: words[hint], reason, sureAt }),
  ])
  const { operations } = words
  const isSilent = operations.value.length === 0 || operations.confidence < sureAt
  return {
    ...words,
    ...(Object.fromEntries(combined) as Pick<Inference, SpecHint>),
    operations: isSilent ? judge([operation], CONFIDENCE, [reason]) : operations,
  }
}

/** True if the HTTP method decided a hint. */
export function restsOnMethod({ evidence }: Judgement<unknown>): boolean {
  return evidence[0]?.from === 'method'
}

interface Sources {
  readonly words: Judgement<boolean>
  readonly reason: Evidence
  readonly sureAt: number
}

function combine(
  hint: SpecHint,
  said: boolean | undefined,
  { words, reason, sureAt }: Sources,
): Judgement<boolean> {
  if (said === undefined) return words
  const isStricter = words.value === HINTS[hint].strict && said !== words.value
  if (isStricter && words.confidence >= sureAt) return words
  return judge(said, CONFIDENCE, [reason, ...(words.value === said ? words.evidence : [])])
}

function readMethod(definition: ToolDefinition): string | undefined {
  const http = own(own(definition, '_meta'), META_HTTP)
  return isObject(http) ? ownString(http, 'method')?.toUpperCase() : undefined
}
