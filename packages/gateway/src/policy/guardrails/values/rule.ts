import { z } from 'zod'
import { type FieldPath, parseFieldPath } from '../../../protocol/field-path.ts'
import type { Reading } from './reading.ts'

/** What a rule objects to: where, and why. Never the value: it may be a secret. */
export interface Violation {
  /** A place in the arguments; empty where the rule is not about one. */
  readonly field: string
  /** Goes on from "the rule objects:" in one sentence. */
  readonly text: string
}

export type Check = (reading: Reading) => Violation | undefined

/** What a rule may answer with. */
export type RuleEffect = 'deny' | 'confirm'

/** A rule before it has parameters. */
export interface RuleKind {
  readonly name: string
  /** All its keys with their schemas, beside the ones that every rule has. */
  readonly schema: z.ZodObject
  /** The effects it can have, the usual one first; none: it never objects by itself. */
  readonly effects: readonly RuleEffect[]
  /** Of each group at least one key must be there. */
  readonly needs: readonly (readonly string[])[]
  /** Whether it is about texts, wherever they are sent, and not about what a tool does. */
  readonly readsTexts: boolean
  readonly compile: (params: unknown) => Check
}

/** For rules that have no fields of their own. */
export const NEEDS_FIELD: readonly string[] = ['field', 'fields']

interface Definition<S extends z.ZodRawShape> {
  readonly name: string
  readonly params: S
  readonly effects?: readonly RuleEffect[]
  readonly needs?: readonly (readonly string[])[]
  readonly readsTexts?: boolean
  readonly compile: (params: z.output<z.ZodObject<S>>) => Check
}

/** Ties a rule's parameters to its check, and hides their type from the list of all rules. */
export function defineRule<S extends z.ZodRawShape>(definition: Definition<S>): RuleKind {
  const schema = z.strictObject(definition.params)
  return {
    name: definition.name,
    schema,
    effects: definition.effects ?? ['deny', 'confirm'],
    needs: definition.needs ?? [],
    readsTexts: definition.readsTexts ?? false,
    compile: params => definition.compile(schema.parse(params)),
  }
}

const fieldPath = z
  .string()
  .min(1)
  .max(200)
  .refine(source => parseFieldPath(source) !== undefined, {
    error: 'this path cannot be read',
    params: { fix: 'write for example "to", "to[*].address", "message.body" or "**"' },
  })

/** `field` or `fields`. Either will do; a rule without a default asks for one of them. */
export const fieldParams = {
  field: fieldPath.optional(),
  fields: z.array(fieldPath).min(1).max(50).optional(),
}

interface FieldParams {
  readonly field?: string | undefined
  readonly fields?: readonly string[] | undefined
}

/** The paths a rule was given, or its default ones. */
export function readFields(
  { field, fields }: FieldParams,
  defaults: readonly FieldPath[],
): readonly FieldPath[] {
  const given = [...(field === undefined ? [] : [field]), ...(fields ?? [])]
  return given.length > 0 ? given.flatMap(source => parseFieldPath(source) ?? []) : defaults
}

/** Texts that a person lists. */
export function listOf(item: z.ZodString): z.ZodArray<z.ZodString> {
  return z.array(item).min(1).max(2000)
}

export const someText = z.string().min(1).max(500)
