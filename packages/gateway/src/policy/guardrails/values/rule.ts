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

export function readFields(
  { field, fields }: FieldParams,
  defaults: readonly FieldPath[],
): readonly FieldPath[] {
  const given = [...(field === undefined ? [] : [field]), ...(fields ?? [])]
  return given.length > 0 ? given.flatMap(source => parseFieldPath(source) ?? []) : defaults
}

/** What a rule can look at in its fields; linked ones with what they are to whoever reads them as links. */
const LOOKS = {
  values: (reading: Reading, fields: readonly FieldPath[]) => reading.values(fields),
  leaves: (reading: Reading, fields: readonly FieldPath[]) => reading.leaves(fields),
  texts: (reading: Reading, fields: readonly FieldPath[]) => reading.texts(fields),
  'linked leaves': (reading: Reading, fields: readonly FieldPath[]) =>
    reading.withLinks(reading.leaves(fields)),
  'linked texts': (reading: Reading, fields: readonly FieldPath[]) =>
    reading.withLinks(reading.texts(fields)),
}

type Looked<L extends keyof typeof LOOKS> = ReturnType<(typeof LOOKS)[L]>[number]

interface FieldDefinition<S extends z.ZodRawShape, L extends keyof typeof LOOKS>
  extends Omit<Definition<S>, 'compile'> {
  /** Where it looks unless it is told; without that it has to be told. */
  readonly fields?: readonly FieldPath[]
  readonly looksAt: L
  /** Made for each call; says of one value after the other what is wrong with it. */
  readonly compile: (
    params: z.output<z.ZodObject<S>>,
  ) => (reading: Reading) => (one: Looked<L>) => string | undefined
}

/** A rule that looks at what its fields hold, and objects to the first that is wrong. */
export function defineFieldRule<S extends z.ZodRawShape, L extends keyof typeof LOOKS>(
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
        for (const one of LOOKS[looksAt](reading, fields) as readonly Looked<L>[]) {
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
