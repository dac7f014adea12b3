import { z } from 'zod'
import { type FieldPath, parseFieldPath } from '../../../protocol/field-path.ts'
import type { Reading } from './reading.ts'

/** A violation of a rule, with its location and reason. It never contains the value, which could be a secret. */
export interface Violation {
  /** A path in the arguments; empty if the violation concerns no particular argument. */
  readonly field: string
  /** The reason. If `field` is not empty, it is the subject of this sentence. */
  readonly text: string
}

export type Check = (reading: Reading) => Violation | undefined

export type RuleEffect = 'deny' | 'confirm'

/** A kind of rule, independent of its parameters. */
export interface RuleKind {
  readonly name: string
  /** The schema of the keys that only this kind of rule has. */
  readonly schema: z.ZodObject
  /**
   * The possible effects, of which the first is the default. Empty if rules of this kind never report violations
   * themselves.
   */
  readonly effects: readonly RuleEffect[]
  /** Groups of keys. At least one key of each group is required. */
  readonly needs: readonly (readonly string[])[]
  /** True if rules of this kind check text in any request, not only what a tool does. */
  readonly readsTexts: boolean
  readonly compile: (params: unknown) => Check
}

interface Definition<S extends z.ZodRawShape> {
  readonly name: string
  readonly params: S
  readonly effects?: readonly RuleEffect[]
  readonly needs?: readonly (readonly string[])[]
  readonly readsTexts?: boolean
  readonly compile: (params: z.output<z.ZodObject<S>>) => Check
}

/**
 * Creates a kind of rule from its parameters and its check. The registry does not need to know the type of the
 * parameters.
 */
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
    error: 'invalid path',
    params: { fix: 'use a form such as "to", "to[*].address", "message.body" or "**"' },
  })

/** The schemas of the keys `field` and `fields`. A rule without default fields requires one of these keys. */
export const fieldParams = {
  field: fieldPath.optional(),
  fields: z.array(fieldPath).min(1).max(50).optional(),
}

interface FieldParams {
  readonly field?: string | undefined
  readonly fields?: readonly string[] | undefined
}

export function readFields(
  { field, fields }: FieldParams,
  defaults: readonly FieldPath[],
): readonly FieldPath[] {
  const given = [...(field === undefined ? [] : [field]), ...(fields ?? [])]
  return given.length > 0 ? given.flatMap(source => parseFieldPath(source) ?? []) : defaults
}

/**
 * The kinds of values that a rule can read in its fields. The `linked …` kinds also include texts as a URL parser would
 * read them.
 */
const READERS = {
  values: (reading: Reading, fields: readonly FieldPath[]) => reading.values(fields),
  leaves: (reading: Reading, fields: readonly FieldPath[]) => reading.leaves(fields),
  texts: (reading: Reading, fields: readonly FieldPath[]) => reading.texts(fields),
  'linked leaves': (reading: Reading, fields: readonly FieldPath[]) =>
    reading.withLinks(reading.leaves(fields)),
  'linked texts': (reading: Reading, fields: readonly FieldPath[]) =>
    reading.withLinks(reading.texts(fields)),
}

type ReadValue<L extends keyof typeof READERS> = ReturnType<(typeof READERS)[L]>[number]

interface FieldDefinition<S extends z.ZodRawShape, L extends keyof typeof READERS>
  extends Omit<Definition<S>, 'compile'> {
  /** The default fields. If there are none, the rule requires `field` or `fields`. */
  readonly fields?: readonly FieldPath[]
  readonly looksAt: L
  /**
   * Returns a function that prepares the check for one call. That check is then given each value, and returns the
   * violation if there is one.
   */
  readonly compile: (
    params: z.output<z.ZodObject<S>>,
  ) => (reading: Reading) => (one: ReadValue<L>) => string | undefined
}

/** Creates a kind of rule that checks the values in its fields and reports the first violation. */
export function defineFieldRule<S extends z.ZodRawShape, L extends keyof typeof READERS>(
  definition: FieldDefinition<S, L>,
): RuleKind {
  const { fields: defaults, looksAt, needs = [] } = definition
  return defineRule({
    ...definition,
    params: { ...fieldParams, ...definition.params },
    needs: defaults === undefined ? [['field', 'fields'], ...needs] : needs,
    compile: params => {
      const fields = readFields(params as FieldParams, defaults ?? [])
      const start = definition.compile(params as z.output<z.ZodObject<S>>)
      return reading => {
        const judge = start(reading)
        for (const one of READERS[looksAt](reading, fields) as readonly ReadValue<L>[]) {
          const text = judge(one)
          if (text !== undefined) return { field: one.path, text }
        }
        return undefined
      }
    },
  })
}

export function listOf(item: z.ZodString): z.ZodArray<z.ZodString> {
  return z.array(item).min(1).max(2000)
}

export const someText = z.string().min(1).max(500)
