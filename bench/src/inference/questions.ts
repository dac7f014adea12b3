import type { Inference } from '@hintgate/metadata'
import type { AnnotatedTool, Authored } from './load-tools.ts'

/** One hint to score: for which tools, the author's value, the inferred value, and the specification's default. */
export interface Question {
  readonly name: string
  readonly about: string
  readonly labels: readonly string[]
  /** The author's value, or undefined for a tool that is not scored. */
  readonly truthOf: (authored: Authored) => string | undefined
  readonly guessOf: (inference: Inference) => string
  readonly specDefault: string
}

/** A tool with its inference. */
export interface JudgedTool extends AnnotatedTool {
  readonly inference: Inference
}

const YES_NO = ['true', 'false']

function show(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

function isWrite(authored: Authored): boolean {
  return authored.readOnly !== true
}

/** Destructive and idempotent are scored only for tools that are not read-only, where they have a meaning. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'readOnly',
    about: 'tools whose author set readOnlyHint',
    labels: YES_NO,
    truthOf: authored => show(authored.readOnly),
    guessOf: inference => String(inference.readOnly.value),
    specDefault: 'false',
  },
  {
    name: 'destructive',
    about: 'tools that are not read-only and whose author set destructiveHint',
    labels: YES_NO,
    truthOf: authored => (isWrite(authored) ? show(authored.destructive) : undefined),
    guessOf: inference => String(inference.destructive.value),
    specDefault: 'true',
  },
  {
    name: 'idempotent',
    about: 'tools that are not read-only and whose author set idempotentHint',
    labels: YES_NO,
    truthOf: authored => (isWrite(authored) ? show(authored.idempotent) : undefined),
    guessOf: inference => String(inference.idempotent.value),
    specDefault: 'false',
  },
  {
    name: 'openWorld',
    about: 'tools whose author set openWorldHint',
    labels: YES_NO,
    truthOf: authored => show(authored.openWorld),
    guessOf: inference => String(inference.openWorld.value),
    specDefault: 'true',
  },
  {
    name: 'category',
    about: 'read, write or delete, for tools whose author’s hints determine it',
    labels: ['read', 'write', 'delete'],
    truthOf: categoryOfAuthored,
    guessOf: ({ readOnly, destructive }) =>
      readOnly.value ? 'read' : destructive.value ? 'delete' : 'write',
    specDefault: 'delete',
  },
]

function categoryOfAuthored(authored: Authored): string | undefined {
  if (authored.readOnly === true) return 'read'
  if (authored.destructive === undefined) return undefined
  return authored.destructive ? 'delete' : 'write'
}
