import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { $strict, $ZodObject, $ZodType, output } from 'zod/v4/core'

/** Named fields, each described by a zod 4 or zod/mini schema. */
export type Shape = Readonly<Record<string, $ZodType>>

/** The kinds of schemas that can describe arguments. */
export type Input = StandardSchemaV1 | Shape

/** An object without fields, which is the type of an omitted input. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type
export type Nothing = Record<never, never>

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The values that a schema accepts. */
export type ArgumentsOf<I> = I extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<I>
  : I extends Shape
    ? output<$ZodObject<Mutable<I>, $strict>>
    : never
