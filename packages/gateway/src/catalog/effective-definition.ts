import { type Assessment, HINTS, SPEC_HINTS, type ToolDefinition } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { definedByAuthor } from '../protocol/name-of.ts'

/**
 * A definition as callers see it: untouched but for its annotations, which say what Hintgate acts on, and for remarks in our
 * name.
 */
export function withEffectiveHints(definition: ToolDefinition, { effective }: Assessment): Json {
  const declared = isJsonObject(definition.annotations) ? definition.annotations : {}
  const hints = Object.fromEntries(SPEC_HINTS.map(hint => [HINTS[hint].wire, effective[hint].value]))
  return { ...definedByAuthor(definition), annotations: { ...declared, ...hints } }
}
