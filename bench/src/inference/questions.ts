import type { Inference } from '@hintgate/metadata'
import type { AnnotatedTool, Authored } from './load-tools.ts'

/** One thing to score: who is asked, what the author says, what inference says, what the specification assumes. */
export interface Question {
  readonly name: string
  readonly about: string
  readonly labels: readonly string[]
  /** The author's answer, or undefined for a tool that is not asked. */
  readonly truthOf: (authored: Authored) => string | undefined
  readonly guessOf: (inference: Inference) => string
  readonly specDefault: string
}

/** A tool with what inference made of it. */
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

/** Hints are meaningful for tools that are not read-only, so destructive and idempotent are asked of those alone. */
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
    about: 'read, write or delete, where the author’s hints tell which',
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
